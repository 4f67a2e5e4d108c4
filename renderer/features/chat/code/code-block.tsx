// Code as it is, with colours where its language is known. Long code is kept in runs of lines that do not render again while
// more is written below them. What the copy button gives is the code to the letter. The colours of a block of code, which may
// still be growing. Only runs of lines that are full are coloured while it grows, and each time only once a quarter more of
// them is there: a block of n lines costs a few times n, not n².
import { memo, type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { t } from '#app/i18n/translate.ts'
import { IconButton } from '#renderer/ui/button.tsx'
import { CopyButton } from '#renderer/ui/copy-button.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { useShownPart } from '#renderer/ui/long-text.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { type CodeToken, keepAlike, tokenRuns } from './syntax-tokens.ts'
import { whenIdle } from './when-idle.ts'

const linesPerRun = 40
/** UTF-16 units; what is longer stays without colours. */
const mostColoured = 100_000

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
function useSyntaxColours(
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

/** Runs that are full never change while the code only grows. */
function codeRuns(code: string): readonly string[] {
  const lines = code.split('\n')
  const runs: string[] = []
  for (let at = 0; at < lines.length; at += linesPerRun) {
    const run = lines.slice(at, at + linesPerRun).join('\n')
    runs.push(at + linesPerRun < lines.length ? `${run}\n` : run)
  }
  return runs
}

const Run = memo(function Run({ text, tokens }: { readonly text: string; readonly tokens: readonly CodeToken[] | undefined }) {
  if (!tokens) return <VisibleText text={text} />
  return tokens.map((token, index) =>
    token.kind ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one run have no other identity
      <span key={index} className={`hl-${token.kind}`}>
        <VisibleText text={token.text} />
      </span>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <VisibleText key={index} text={token.text} />
    ),
  )
})

interface CodeBlockProps {
  readonly code: string
  /** As it was named; empty: not at all. */
  readonly language: string
  /** More of it is still being written. */
  readonly growing?: boolean
  /** Beside the other buttons. */
  readonly children?: ReactNode
}

/** What a fence may say behind or around the name: `ts{1,3}`, `language-js`, `C++`. */
export const grammarName = (language: string): string =>
  language
    .toLowerCase()
    .replace(/^(?:language-|lang-|\{?\.)/, '')
    .replace(/[{:,].*$/, '')

export function CodeBlock({ code, language, growing = false, children }: CodeBlockProps) {
  const box = useRef<HTMLPreElement>(null)
  const [wraps, setWraps] = useState(false)
  const { shown, more } = useShownPart(code, { words: t`Show more of this code`, copyTakesAll: true })
  const runs = useMemo(() => codeRuns(shown), [shown])
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
          {code.length > mostColoured && <span>{t`too long to colour`}</span>}
          {tools}
        </figcaption>
      ) : (
        tools
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <pre ref={box} tabIndex={0} className={cx(wraps && 'wrapit')}>
        {runs.map((run, index) => (
          <Run key={String(index)} text={run} tokens={colours[index]} />
        ))}
      </pre>
      {more}
    </figure>
  )
}
