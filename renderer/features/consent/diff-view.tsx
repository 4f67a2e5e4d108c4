// A change of text, line by line: the sign says what goes and what comes, colour only repeats it. No line is left out.
import { useMemo } from 'react'
import { hasHidden } from '#app/consent/reveal.ts'
import { cx } from '#renderer/ui/class-names.ts'
import { Revealed } from '#renderer/ui/revealed.tsx'
import type { ChangedPart } from './definition-diff.ts'
import { type DiffLine, diffLines } from './text-diff.ts'

const looks = {
  same: { name: 'gap', sign: '', said: '' },
  out: { name: 'del', sign: '−', said: 'out: ' },
  in: { name: 'add', sign: '+', said: 'in: ' },
} as const

export function DiffView({ before, after, label }: { readonly before: string; readonly after: string; readonly label: string }) {
  const lines = useMemo(() => diffLines(before, after), [before, after])
  return <DiffRows lines={lines} label={label} />
}

/** Each under its name. */
export function ChangedParts({ parts }: { readonly parts: readonly ChangedPart[] }) {
  return parts.map(({ title, note, lines }) => (
    <div className="sec" key={title}>
      <p className="row">
        <span className="label">{title}</span>
        {note && <span className="faint">{note}</span>}
      </p>
      <DiffRows lines={lines} label={title} />
    </div>
  ))
}

function DiffRows({ lines, label }: { readonly lines: readonly DiffLine[]; readonly label: string }) {
  return (
    <figure className="diff" aria-label={label}>
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one text have no other identity.
        <Line key={index} line={line} />
      ))}
    </figure>
  )
}

function Line({ line }: { readonly line: DiffLine }) {
  const { name, sign, said } = looks[line.kind]
  return (
    <div className={cx(name)}>
      <span aria-hidden="true">{sign}</span>
      <span>
        {said && <span className="sr">{said}</span>}
        <Marked line={line} />
      </span>
    </div>
  )
}

/** A line with a hidden character is shown whole: cut in pieces it could read otherwise. */
function Marked({ line: { text, mark } }: { readonly line: DiffLine }) {
  if (!mark || mark[0] === mark[1] || hasHidden(text)) return <Revealed text={text} />
  return (
    <>
      {text.slice(0, mark[0])}
      <mark>{text.slice(mark[0], mark[1])}</mark>
      {text.slice(mark[1])}
    </>
  )
}
