// Text that is drawn as it is, a part at a time: no length of it holds the page up.
import { type ReactNode, useMemo, useState } from 'react'
import { t } from '#app/i18n/translate.ts'
import { formatBytes } from '#app/text/format-text.ts'
import { Button } from './button.tsx'
import { VisibleText } from './visible-text.tsx'

/** UTF-16 units and lines that are drawn before the person asks for more. */
export const mostCharacters = 60_000
const mostLines = 2000

/** As much of it as is drawn: whole lines, where they are not too long. `times`: how often that was asked for. */
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

interface More {
  /** Of the button. */
  readonly words: string
  readonly copyTakesAll?: boolean
}

/** The part that is drawn, and the button for more of it where there is more. */
export function useShownPart(text: string, { words, copyTakesAll = false }: More): { readonly shown: string; readonly more: ReactNode } {
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

/** Within a line or a paragraph. */
export function LongVisibleText({ text, copyTakesAll = false }: { readonly text: string; readonly copyTakesAll?: boolean }) {
  const { shown, more } = useShownPart(text, { words: t`Show more of this long text`, copyTakesAll })
  return (
    <>
      <VisibleText text={shown} />
      {more}
    </>
  )
}

/** In a box that scrolls. Not of what is approved, of which nothing may wait behind a button. */
export function LongBox({ text, label }: { readonly text: string; readonly label: string }) {
  const { shown, more } = useShownPart(text, { words: t`Show more of this long text` })
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
