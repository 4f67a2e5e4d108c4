// A block of code, coloured where its language is known. The code is rendered in runs of lines; full runs do not render again while
// code streams in. Colours follow only when a quarter more full runs are there, so a block of n lines costs a few times n, not n².
import { memo, type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { t } from '#app/i18n/translate.ts'
import { CopyButton, IconButton } from '#renderer/ui/button.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { useInTurn, useLatestInTurn } from '#renderer/ui/lib/in-turn.ts'
import { endOfPart, useShownPart, VisibleText } from '#renderer/ui/visible-text.tsx'
import { type CodeToken, codeRuns, keepAlike, tokenRuns } from './syntax-tokens.ts'
import { whenIdle } from './when-idle.ts'

/** Limit of coloured code in UTF-16 units. */
const mostColoured = 100_000

interface Coloured {
  readonly code: string
  readonly language: string
  readonly runs: readonly (readonly CodeToken[])[]
}

const nothing: Coloured = { code: '', language: '', runs: [] }

/** Returns the beginning of the code that is to be coloured now; undefined: nothing. `done`: what is coloured already. */
export function nextToColour(code: string, growing: boolean, done: Pick<Coloured, 'code' | 'runs'>): string | undefined {
  if (code === '' || code.length > mostColoured) return undefined
  if (!growing) return code === done.code ? undefined : code
  const full = codeRuns(code).slice(0, -1)
  if (full.length < Math.max(1, Math.ceil(done.runs.length * 1.25)) || full.length <= done.runs.length) return undefined
  return code.slice(
    0,
    full.reduce((sum, run) => sum + run.length, 0),
  )
}

/** Whether the person is selecting text in the element, which must not be replaced then. */
function isSelected(element: Element | null): boolean {
  const selection = getSelection()
  return element !== null && selection !== null && !selection.isCollapsed && selection.containsNode(element, true)
}

/**
 * Colours a long code a part at a time, each as code of its own and in idle time: grammars take up to 10 ms for 1,000 characters.
 * Undefined as soon as `colour` is.
 */
export async function colourInParts(
  code: string,
  colour: (part: string) => readonly CodeToken[] | undefined,
): Promise<readonly CodeToken[] | undefined> {
  const tokens: CodeToken[] = []
  for (let at = 0; at < code.length; ) {
    if (at > 0) await new Promise<void>((next) => whenIdle(next))
    const end = endOfPart(code, at)
    const part = colour(code.slice(at, end))
    if (!part) return undefined
    tokens.push(...part)
    at = end
  }
  return tokens
}

/** Tokens by run; a missing run has no colours yet. */
function useSyntaxColours(code: string, language: string, growing: boolean, box: RefObject<Element | null>): Coloured['runs'] {
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
      const tokens = await colourInParts(wanted, (part) => (ended ? undefined : colourCode(part, language)))
      if (!tokens) return
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
      if (!ended) setColoured((before) => ({ code: wanted, language, runs: keepAlike(before.runs, tokenRuns(tokens)) }))
    }
    // Without the chunk the code has no colours.
    const start = (): void => void colour().catch(() => undefined)
    undo = whenIdle(start)
    return () => {
      ended = true
      undo()
    }
  }, [wanted, language, box])

  return done.runs
}

const Run = memo(function Run({ text, tokens: latest }: { readonly text: string; readonly tokens: readonly CodeToken[] | undefined }) {
  const tokens = useLatestInTurn(latest)
  if (!tokens || tokens.reduce((sum, token) => sum + token.text, '') !== text) return <VisibleText text={text} />
  // Tokens of a run have no other identity.
  return tokens.map(({ kind, text: part }, index) => <VisibleText key={String(index)} className={kind && `hl-${kind}`} text={part} />)
})

/** Runs that are drawn in one task. */
const runsAtOnce = 4

interface CodeBlockProps {
  readonly code: string
  /** Name from the source; may be empty. */
  readonly language: string
  readonly growing?: boolean
  readonly children?: ReactNode
}

/** Name of the grammar, without what a fence may add: `ts{1,3}`, `language-js`, `C++`. */
export const grammarName = (language: string): string =>
  language
    .toLowerCase()
    .replace(/^(?:language-|lang-|\{?\.)/, '')
    .replace(/[{:,].*$/, '')

export function CodeBlock({ code, language, growing = false, children }: CodeBlockProps) {
  const box = useRef<HTMLPreElement>(null)
  const [wraps, setWraps] = useState(false)
  const { shown, more } = useShownPart(code, t`Show more of this long text`, true)
  const runs = useMemo(() => codeRuns(shown), [shown])
  const drawn = useInTurn(runs.length, (done) => done + runsAtOnce)
  const colours = useSyntaxColours(code, grammarName(language), growing, box)
  const tools = (
    <span className="code-tools">
      {children}
      <IconButton label={t`Wrap lines`} icon="wrap" small aria-pressed={wraps} onClick={() => setWraps(!wraps)} />
      <CopyButton text={code} label={t`Copy code`} />
    </span>
  )
  return (
    <figure className={cx('code', !language && 'bare')} dir="ltr">
      {language ? (
        <figcaption className="cap">
          <VisibleText text={language} />
          {tools}
        </figcaption>
      ) : (
        tools
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <pre ref={box} tabIndex={0} className={cx(wraps && 'wrapit')}>
        {runs.slice(0, drawn).map((run, index) => (
          <Run key={String(index)} text={run} tokens={colours[index]} />
        ))}
      </pre>
      {more}
    </figure>
  )
}
