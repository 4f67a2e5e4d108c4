// Code as it is, with colours where its language is known. Long code is kept in runs of lines that do not render again
// while more is written below them. What the copy button gives is the code to the letter.
import { memo, type ReactNode, useMemo, useRef, useState } from 'react'
import { t } from '#app/words/translate.ts'
import { IconButton } from '#renderer/ui/button.tsx'
import { cx } from '#renderer/ui/class-names.ts'
import { CopyButton } from '#renderer/ui/copy-button.tsx'
import { useShownPart } from '#renderer/ui/long-text.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import type { CodeToken } from './tokens.ts'
import { linesPerRun, mostColoured, useColours } from './use-colours.ts'

/** Runs that are full never change while the code only grows. */
export function codeRuns(code: string): readonly string[] {
  const lines = code.split('\n')
  const runs: string[] = []
  for (let at = 0; at < lines.length; at += linesPerRun) {
    const run = lines.slice(at, at + linesPerRun).join('\n')
    runs.push(at + linesPerRun < lines.length ? `${run}\n` : run)
  }
  return runs
}

const Run = memo(function Run({ text, tokens }: { readonly text: string; readonly tokens: readonly CodeToken[] | undefined }) {
  if (!tokens) return <Revealed text={text} />
  return tokens.map((token, index) =>
    token.kind ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one run have no other identity
      <span key={index} className={`hl-${token.kind}`}>
        <Revealed text={token.text} />
      </span>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <Revealed key={index} text={token.text} />
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
  const colours = useColours(code, grammarName(language), growing, box)
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
          <Revealed text={language} />
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
