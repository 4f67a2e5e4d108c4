// The text size scales the whole page. Style sheets are written in CSS pixels at its usual size; the build turns these into rem, which
// follow the root's font size, and conditions on the width into container queries, whose rem follow it too: at 150 % a window of
// 1200 px is laid out as one of 800 px. (Media queries know the browser's own font size alone; `zoom` misplaces popups.)

interface Declaration {
  readonly prop: string
  value: string
}

interface AtRule {
  name: string
  params: string
}

const usualRoot = 16
/** What is as thin as a line stays so. */
const lines = /^(?:border|outline|box-shadow|text-decoration|text-underline|background)/
const lengths = /^(?:min-|max-)?(?:width|height|inline-size|block-size)$/
const thinnest = (prop: string): number => (lines.test(prop) ? 2 : lengths.test(prop) ? 1.5 : 0)

/** Page's own container, `body`: a query on another one names none. */
const pageContainer = 'page'

const rem = (px: number): string => `${Number((px / usualRoot).toFixed(5))}rem`

/** Turns the pixels of a value into rem. */
export const scaleValue = (prop: string, value: string): string =>
  value.replaceAll(/(?<![\w.#-])(-?)(\d*\.?\d+)px\b/g, (whole, sign: string, number: string) =>
    Number(number) <= thinnest(prop) ? whole : `${sign}${rem(Number(number))}`,
  )

/** Turns `(max-width: 599px)` into `(width < 37.5rem)`; undefined for a condition that asks about something else. */
export function scaleCondition(params: string): string | undefined {
  const scaled = params
    .replaceAll(/\(max-width: (\d+)px\)/g, (_all, px: string) => `(width < ${rem(Number(px) + 1)})`)
    .replaceAll(/\(min-width: (\d+)px\)/g, (_all, px: string) => `(width >= ${rem(Number(px))})`)
  return scaled === params ? undefined : scaled
}

/** PostCSS plugin for our own sheets; those of packages have no lengths. */
export const scaleStyles = {
  postcssPlugin: 'scale-styles',
  Declaration(declaration: Declaration): void {
    const value = scaleValue(declaration.prop, declaration.value)
    if (value !== declaration.value) declaration.value = value
  },
  AtRule(rule: AtRule): void {
    if (rule.name !== 'media' && rule.name !== 'container') return
    const params = scaleCondition(rule.params)
    if (params === undefined) return
    rule.params = rule.name === 'media' ? `${pageContainer} ${params}` : params
    rule.name = 'container'
  },
}
