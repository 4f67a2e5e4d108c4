// The colours of a block of code, which may still be growing. Only runs of lines that are full are coloured while it
// grows, and each time only once a quarter more of them is there: a block of n lines costs a few times n, not n².
import { type RefObject, useEffect, useState } from 'react'
import { type CodeToken, keepAlike, tokenRuns } from './tokens.ts'
import { whenIdle } from './when-idle.ts'

export const linesPerRun = 40
/** UTF-16 units; what is longer stays without colours. */
export const mostColoured = 100_000

interface Coloured {
  /** The code up to here, which the runs are of. */
  readonly code: string
  readonly language: string
  readonly runs: readonly (readonly CodeToken[])[]
}

const nothing: Coloured = { code: '', language: '', runs: [] }

/** What of the code is to be coloured now, knowing what already is. Undefined: nothing. */
export function nextToColour(code: string, growing: boolean, done: Pick<Coloured, 'code' | 'runs'>): string | undefined {
  if (code === '' || code.length > mostColoured) return undefined
  if (!growing) return code === done.code ? undefined : code
  let runs = 0
  let end = 0
  for (let at = 0, lines = 0; ; ) {
    const newline = code.indexOf('\n', at)
    if (newline < 0) break
    at = newline + 1
    lines += 1
    if (lines % linesPerRun === 0) {
      runs += 1
      end = at
    }
  }
  return runs >= Math.max(1, Math.ceil(done.runs.length * 1.25)) && runs > done.runs.length ? code.slice(0, end) : undefined
}

/** Nothing is put in the place of text that the person is selecting. */
function isSelected(element: Element | null): boolean {
  const selection = getSelection()
  return element !== null && selection !== null && !selection.isCollapsed && selection.containsNode(element, true)
}

/** By run of `linesPerRun` lines; a run that is missing has no colours (yet). */
export function useColours(
  code: string,
  language: string,
  growing: boolean,
  box: RefObject<Element | null>,
): readonly (readonly CodeToken[])[] {
  const [coloured, setColoured] = useState(nothing)
  const fits = coloured.language === language && code.startsWith(coloured.code)
  const done = fits ? coloured : nothing
  const wanted = language === '' ? undefined : nextToColour(code, growing, done)

  useEffect(() => {
    if (wanted === undefined) return
    let ended = false
    let undo = (): void => {}
    const colour = async (): Promise<void> => {
      const { colourCode } = await import('./grammars.ts')
      if (ended) return
      if (isSelected(box.current)) {
        const again = (): void => {
          if (isSelected(box.current)) return
          stop()
          undo = whenIdle(start)
        }
        const stop = (): void => document.removeEventListener('selectionchange', again)
        document.addEventListener('selectionchange', again)
        undo = stop
        return
      }
      const tokens = colourCode(wanted, language)
      if (tokens) setColoured((before) => ({ code: wanted, language, runs: keepAlike(before.runs, tokenRuns(tokens, linesPerRun)) }))
    }
    // A chunk that cannot be loaded leaves the code as it is.
    const start = (): void => void colour().catch(() => undefined)
    undo = whenIdle(start)
    return () => {
      ended = true
      undo()
    }
  }, [wanted, language, box])

  return done.runs
}
