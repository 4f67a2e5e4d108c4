// Code as it is. Long code is kept in runs of lines that do not render again while more is written below them.
import { memo, useMemo } from 'react'
import { CopyButton } from '#renderer/ui/copy-button.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'

const linesPerRun = 40

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

const Run = memo(function Run({ text }: { readonly text: string }) {
  return <Revealed text={text} />
})

export function CodeBlock({ code, language }: { readonly code: string; readonly language: string }) {
  const runs = useMemo(() => codeRuns(code), [code])
  const body = (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <pre tabIndex={0}>
      {runs.map((run, index) => (
        <Run key={String(index)} text={run} />
      ))}
    </pre>
  )
  if (!language) {
    return (
      <figure className="code bare">
        <CopyButton text={code} label="Copy code" />
        {body}
      </figure>
    )
  }
  return (
    <figure className="code">
      <figcaption className="cap">
        <Revealed text={language} />
        <CopyButton text={code} label="Copy code" />
      </figcaption>
      {body}
    </figure>
  )
}
