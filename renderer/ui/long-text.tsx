// Long text in parts: the page stays responsive whatever its length.
import { useMemo, useState } from 'react'
import { t } from '#app/i18n/translate.ts'
import { formatBytes } from '#app/text/format-text.ts'
import { Button } from './button.tsx'
import { VisibleText } from './visible-text.tsx'

/** UTF-16 units and lines that are drawn before the person asks for more. */
export const mostCharacters = 60_000
const mostLines = 2000

/** The part to draw: whole lines, where they are not too long. `times`: number of parts asked for. */
function shownPart(text: string, times: number): string {
  let end = Math.min(text.length, mostCharacters * times)
  let lines = 0
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) {
    lines += 1
    if (lines === mostLines * times) end = at
  }
  if (end === text.length) return text
  const line = text.lastIndexOf('\n', end)
  return text.slice(0, line > end / 2 ? line : end).toWellFormed()
}

/** The part to draw, and the button for more of it, labelled `words`, where there is more. */
export function useShownPart(text: string, words: string, copyTakesAll = false) {
  const [times, setTimes] = useState(1)
  const shown = useMemo(() => shownPart(text, times), [text, times])
  const left = text.length - shown.length
  if (left === 0) return { shown, more: undefined }
  const size = formatBytes(left)
  const more = (
    <span className="row code-more">
      <Button size="sm" onClick={() => setTimes(times + 1)}>
        {words}
      </Button>
      <span className="dim">{copyTakesAll ? t`${size} not shown. Copy takes all of it.` : t`${size} not shown.`}</span>
    </span>
  )
  return { shown, more }
}

/** Long text within a line or a paragraph. */
export function LongVisibleText({ text, copyTakesAll = false }: { readonly text: string; readonly copyTakesAll?: boolean }) {
  const { shown, more } = useShownPart(text, t`Show more of this long text`, copyTakesAll)
  return (
    <>
      <VisibleText text={shown} />
      {more}
    </>
  )
}

/** Long text in a box that scrolls. Not for text under approval, which must be shown whole. */
export function LongBox({ text, label }: { readonly text: string; readonly label: string }) {
  const { shown, more } = useShownPart(text, t`Show more of this long text`)
  return (
    <figure className="code arg-long" aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <pre tabIndex={0} className="wrapit">
        <VisibleText text={shown} />
      </pre>
      {more}
    </figure>
  )
}
