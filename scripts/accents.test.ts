import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { accents } from '#app/settings.ts'

const sheet = readFileSync(join(import.meta.dirname, '../renderer/ui/styles/tokens.css'), 'utf8')

/** Colours by name of a block of the sheet, light and dark. */
const coloursIn = (selector: string): Readonly<Record<string, readonly [light: string, dark: string]>> => {
  const [, block = ''] = sheet.split(`${selector} {`)
  return Object.fromEntries(
    [...(block.split('\n}')[0] ?? '').matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(
      ([, name = '', light = '', dark = '']) => [name, [light, dark]] as const,
    ),
  )
}

/** Relative luminance (WCAG 2.2). */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Contrast of two colours, 1 to 21 (WCAG 2.2). */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

const base = coloursIn(':root')
const surfaces = ['bg', 'side', 'raised', 'panel', 'sunken', 'ink-wash']
/** Text on its ground, and the contrast that it needs (WCAG 1.4.3; 1.4.11 for the edge of a control). */
const pairs: readonly (readonly [text: string, ground: string, least: number])[] = [
  ...surfaces.map((ground) => ['ink', ground, 4.5] as const),
  ['on-ink', 'ink-fill', 4.5],
  ['on-ink', 'ink-fill-hover', 4.5],
  ['text', 'ink-wash', 4.5],
  ['text-2', 'ink-wash', 4.5],
  ['text-3', 'ink-wash', 4.5],
  ['warn', 'ink-wash', 4.5],
  ['danger', 'ink-wash', 4.5],
  ...['bg', 'side', 'raised', 'panel', 'sunken'].map((ground) => ['ink-fill', ground, 3] as const),
]

describe.each(accents)('the accent %s', (accent) => {
  const colours = { ...base, ...coloursIn(`[data-accent="${accent}"]`) }

  it.each([
    ['light', 0],
    ['dark', 1],
  ] as const)('is read on every ground in the %s theme', (_theme, at) => {
    const tooFaint = pairs
      .map(([text, ground, least]) => [text, ground, contrast(colours[text]?.[at] ?? '', colours[ground]?.[at] ?? ''), least] as const)
      .filter(([, , found, least]) => !(found >= least))
    expect(tooFaint).toEqual([])
  })
})
