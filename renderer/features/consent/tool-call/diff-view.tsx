// A change of text, line by line. The sign tells removed and added lines apart, colour only repeats it. In the dock, lines beyond the
// first eight are left out, which is said: they are read at full size.
import { useMemo } from 'react'
import { emptyLinesLabel, hasHidden, LEAST_EMPTY_LINES } from '#app/text/hidden-characters.ts'
import { type DiffLine, diffLines, newLines } from '#renderer/ui/lib/text-diff.ts'
import { BlankRun } from '#renderer/ui/visible-text.tsx'
import type { TextChange } from './argument-blocks.ts'
import type { ChangedPart } from './definition-diff.ts'
import { clipped, Spanned, type TaintSpan } from './taint-marks.tsx'

const looks = {
  same: { name: 'gap', sign: '', said: '' },
  out: { name: 'del', sign: '−', said: 'out: ' },
  in: { name: 'add', sign: '+', said: 'in: ' },
} as const

interface DiffViewProps {
  /** Undefined: all of `after` is new. */
  readonly before: string | undefined
  readonly after: string
  /** Parts of both texts that came from a server. */
  readonly spans?: Readonly<Record<'before' | 'after', readonly TaintSpan[]>>
  readonly label: string
  /** Lines that are drawn. Default: all. */
  readonly range?: readonly [from: number, to: number]
}

export const changedLines = (before: string | undefined, after: string): readonly DiffLine[] =>
  before === undefined ? newLines(after).map((text) => ({ kind: 'in', text })) : diffLines(before, after)

/** "+3 −1": lines in and out, over all changes; of new text "+3". */
export function LineCounts({ changes }: { readonly changes: readonly TextChange[] }) {
  const lines = changes.flatMap(({ before, after }) => changedLines(before, after))
  const count = (kind: DiffLine['kind']): number => lines.filter((line) => line.kind === kind).length
  return (
    <span className="delta">
      <span className="in">+{count('in')}</span>
      {changes.some(({ before }) => before !== undefined) && <span className="out"> −{count('out')}</span>}
    </span>
  )
}

export function DiffView({ before, after, spans, label, range }: DiffViewProps) {
  const lines = useMemo(
    () => withSpans(changedLines(before, after), { before: before ?? '', after }, spans).slice(...(range ?? [])),
    [before, after, spans, range],
  )
  return <DiffRows lines={lines} label={label} />
}

type MarkedLine = DiffLine & { readonly spans?: readonly TaintSpan[] }

/** Gives each line its part of the spans. A line of both texts takes those of the new one. */
function withSpans(
  lines: readonly DiffLine[],
  texts: Record<'before' | 'after', string>,
  spans: DiffViewProps['spans'],
): readonly MarkedLine[] {
  if (!spans || spans.before.length + spans.after.length === 0) return lines
  const starts = { before: startsOf(texts.before), after: startsOf(texts.after) }
  const next = { before: 0, after: 0 }
  return lines.map((line) => {
    const side = line.kind === 'out' ? 'before' : 'after'
    const start = starts[side][next[side]] ?? 0
    if (line.kind !== 'in') next.before += 1
    if (line.kind !== 'out') next.after += 1
    return { ...line, spans: clipped(spans[side], start, start + line.text.length) }
  })
}

function startsOf(text: string): readonly number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

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

const DiffRows = ({ lines, label }: { readonly lines: readonly MarkedLine[]; readonly label: string }) => (
  <figure className="diff" aria-label={label}>
    {withBlankRuns(lines).map(({ line, empty }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one text have no other identity.
      <Line key={index} line={line} empty={empty} />
    ))}
  </figure>
)

interface DiffRow {
  readonly line: MarkedLine
  /** Number of empty lines that the row stands for; 0: the row is the line itself. */
  readonly empty: number
}

function withBlankRuns(lines: readonly MarkedLine[]): readonly DiffRow[] {
  const rows: DiffRow[] = []
  for (let at = 0; at < lines.length; ) {
    const line = lines[at]
    if (!line) break
    let end = at
    while (lines[end]?.kind === line.kind && lines[end]?.text.trim() === '') end += 1
    const empty = end - at >= LEAST_EMPTY_LINES ? end - at : 0
    rows.push({ line, empty })
    at += Math.max(1, empty)
  }
  return rows
}

function Line({ line, empty }: DiffRow) {
  const { name, sign, said } = looks[line.kind]
  return (
    <div className={name}>
      <span aria-hidden="true">{sign}</span>
      <span>
        {said && <span className="sr">{said}</span>}
        {empty > 0 ? <BlankRun name={emptyLinesLabel(empty)} line={false} /> : <Marked line={line} />}
      </span>
    </div>
  )
}

/** Marks the changed part of a line. A line with an invisible character stays whole: cut in pieces it could read otherwise. */
function Marked({ line: { text, mark, spans = [] } }: { readonly line: MarkedLine }) {
  if (!mark || mark[0] === mark[1] || hasHidden(text)) return <Spanned text={text} spans={spans} />
  const part = (from: number, to: number) => <Spanned text={text.slice(from, to)} spans={clipped(spans, from, to)} />
  return (
    <>
      {part(0, mark[0])}
      <mark>{part(mark[0], mark[1])}</mark>
      {part(mark[1], text.length)}
    </>
  )
}
