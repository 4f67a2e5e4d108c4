// The lines of a log in a box that scrolls, virtualised when there are many. The list follows the end until the person scrolls up.
// A search finds the rows and the parts of a row that hold its words; case does not matter.

import { memo, type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import type { LogLine } from '#app/server/server-state.ts'
import { type AnsiStyle, parseAnsi } from '#app/text/ansi-escapes.ts'
import { SmallButton } from '#renderer/ui/button.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { useScaledRows, useTextScale } from '#renderer/ui/lib/use-visible-rows.ts'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { clockTime, type LogRow, linesOf, lineTone } from './log-lines.ts'

interface LogSegment {
  readonly text: string
  readonly style: AnsiStyle
  readonly found: boolean
}

interface ParsedLine {
  readonly pieces: readonly LogSegment[]
  readonly text: string
  readonly folded: string
}
/** A line never changes, and is read again with every letter that is typed. */
const parsedLines = new WeakMap<LogLine, ParsedLine>()

function parsed(line: LogLine): ParsedLine {
  const known = parsedLines.get(line)
  if (known) return known
  const pieces = parseAnsi(line.text).map((span) => ({ ...span, found: false }))
  const text = pieces.map((piece) => piece.text).join('')
  const made = { pieces, text, folded: fold(text) }
  parsedLines.set(line, made)
  return made
}

/** Lower case of the same length, so that offsets in the folded text are offsets in the text. */
const fold = (text: string): string => {
  const folded = text.toLowerCase()
  return folded.length === text.length
    ? folded
    : text.replace(/./gsu, (one) => (one.toLowerCase().length === one.length ? one.toLowerCase() : one))
}

/** Indices of the rows that hold `query`. */
export function findRows(rows: readonly LogRow[], query: string): number[] {
  const wanted = fold(query)
  if (wanted === '') return []
  return rows.flatMap((row, index) => (row.kind === 'line' && parsed(row.line).folded.includes(wanted) ? [index] : []))
}

/** Segments of a line, cut where a match begins or ends. */
export function splitAtMatches(line: LogLine, query: string): readonly LogSegment[] {
  const { pieces, text, folded } = parsed(line)
  const wanted = fold(query)
  if (wanted === '') return pieces
  const cuts: number[] = []
  for (let at = folded.indexOf(wanted); at !== -1; at = folded.indexOf(wanted, at + wanted.length)) cuts.push(at, at + wanted.length)
  if (cuts.length === 0) return pieces
  const cut: LogSegment[] = []
  let at = 0
  let next = 0
  for (const { text: own, style } of pieces) {
    const end = at + own.length
    while (at < end) {
      while ((cuts[next] ?? text.length) <= at && next < cuts.length) next += 1
      const to = Math.min(end, cuts[next] ?? end)
      cut.push({ text: text.slice(at, to), style, found: next % 2 === 1 })
      at = to
    }
  }
  return cut
}

/** Row of the match after or before `current`, round the ends; undefined: there is none. */
export function nextMatch(matches: readonly number[], current: number | undefined, step: 1 | -1): number | undefined {
  if (current === undefined) return step === 1 ? matches[0] : matches.at(-1)
  if (step === 1) return matches.find((match) => match > current) ?? matches[0]
  return matches.findLast((match) => match < current) ?? matches.at(-1)
}

const plainUpTo = 150
const lineHeight = 20

interface LogListProps {
  readonly label: string
  readonly rows: readonly LogRow[]
  readonly query: string
  /** Index of the row of the current match. */
  readonly current: number | undefined
  readonly follow: boolean
  readonly onFollow: (follow: boolean) => void
  readonly onSelect: (lines: readonly LogLine[]) => void
}

const sourceWords: Record<LogLine['source'], string> = { stderr: '', stdout: 'stdout', message: t`Message`, host: 'Assent' }

const Line = memo(function Line({ line, query, current }: { readonly line: LogLine; readonly query: string; readonly current: boolean }) {
  const mark = line.level ?? sourceWords[line.source]
  return (
    <div className={cx('log-line', lineTone(line), current && 'current')}>
      <span className="log-time" title={new Date(line.time).toISOString()}>
        {clockTime(line.time)}
      </span>
      <span className="log-text">
        {mark ? <span className="log-mark">{mark} </span> : null}
        {splitAtMatches(line, query).map(({ text, style, found }, index) => {
          const Element = found ? 'mark' : 'span'
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text have no other identity.
            <Element key={index} className={ansiClass(style)}>
              <VisibleText text={text} />
            </Element>
          )
        })}
      </span>
    </div>
  )
})

export function LogList({ label, rows, query, current, follow, onFollow, onSelect }: LogListProps) {
  const box = useRef<HTMLElement>(null)
  const top = useRef(0)
  const byPerson = useRef<boolean>(false)
  const long = rows.length > plainUpTo
  const scale = useTextScale()
  const virtualizer = useScaledRows({
    count: rows.length,
    enabled: long,
    getScrollElement: () => box.current,
    estimateSize: () => lineHeight,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 20,
    anchorTo: 'end',
    initialOffset: () => rows.length * lineHeight * scale,
  })
  const last = rows.at(-1)?.key
  const height = long ? virtualizer.getTotalSize() : 0
  const unread = useUnread(rows, follow)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new last line, or one that turns out higher, is the reason to scroll.
  useLayoutEffect(() => {
    if (follow && box.current) box.current.scrollTop = box.current.scrollHeight
  }, [follow, last, height])
  useLayoutEffect(() => {
    if (!follow) byPerson.current = false
  }, [follow])

  // biome-ignore lint/correctness/useExhaustiveDependencies: only going to another match scrolls, not the lines that come.
  useEffect(() => {
    if (current === undefined) return
    if (long) virtualizer.scrollToIndex(current, { align: 'center' })
    else box.current?.querySelector(`[data-index="${current}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [rows[current ?? -1]?.key])

  const onScroll = (at: HTMLElement): void => {
    const up = at.scrollTop < top.current - 2
    top.current = at.scrollTop
    // Lines that come, or turn out higher than they were taken for, move the end away; only the person moves up. A move of
    // ours is told after the fact: it must not undo that they stopped following just now.
    if (at.scrollHeight - at.scrollTop - at.clientHeight >= 24) {
      if (up) onFollow(false)
    } else if (byPerson.current) onFollow(true)
  }
  const select = (): void => onSelect(selectedLines(box, rows))
  const drawn = (row: LogRow, index: number): ReactNode =>
    row.kind === 'this-run' ? (
      <div className="log-divider">{t`this run`}</div>
    ) : (
      <Line line={row.line} query={query} current={index === current} />
    )
  const moved = (): void => {
    byPerson.current = true
  }

  return (
    <div className="log-frame">
      <section
        ref={box}
        className="log-box"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
        tabIndex={0}
        aria-label={label}
        onScroll={({ currentTarget }) => onScroll(currentTarget)}
        onWheel={moved}
        onTouchMove={moved}
        onPointerDown={moved}
        onKeyDown={moved}
        onPointerUp={select}
        onKeyUp={select}
      >
        {long ? (
          <div className="virtual" style={{ height }}>
            {virtualizer.getVirtualItems().map((item) => {
              const row = rows[item.index]
              const style = { transform: `translateY(${item.start}px)` }
              return (
                row && (
                  <div key={item.key} ref={virtualizer.measureElement} data-index={item.index} className="virtual-item" style={style}>
                    {drawn(row, item.index)}
                  </div>
                )
              )
            })}
          </div>
        ) : (
          rows.map((row, index) => (
            <div key={row.key} data-index={index}>
              {drawn(row, index)}
            </div>
          ))
        )}
      </section>
      {unread > 0 ? (
        <SmallButton className="log-new" icon="arrow-down" onClick={() => onFollow(true)}>
          {t`${formatNumber(unread)} new {line|lines}`}
        </SmallButton>
      ) : null}
    </div>
  )
}

function useUnread(rows: readonly LogRow[], follow: boolean): number {
  const lastRow = rows.findLast((row) => row.kind === 'line')
  const last = lastRow?.kind === 'line' ? lastRow.line.seq : 0
  const [left, setLeft] = useState<number | undefined>(undefined)
  if (follow && left !== undefined) setLeft(undefined)
  if (!follow && left === undefined) setLeft(last)
  return follow || left === undefined ? 0 : rows.filter((row) => row.kind === 'line' && row.line.seq > left).length
}

/** Whole lines, from the one where the selection begins to the one where it ends. */
function selectedLines(box: RefObject<HTMLElement | null>, rows: readonly LogRow[]): LogLine[] {
  const selection = window.getSelection()
  if (!box.current || !selection || selection.isCollapsed || !selection.anchorNode || !selection.focusNode) return []
  const indexOf = (node: Node): number => {
    const element = node instanceof Element ? node : node.parentElement
    return box.current?.contains(node) ? Number(element?.closest('[data-index]')?.getAttribute('data-index') ?? Number.NaN) : Number.NaN
  }
  const ends = [indexOf(selection.anchorNode), indexOf(selection.focusNode)]
  if (ends.some(Number.isNaN)) return []
  return linesOf(rows.slice(Math.min(...ends), Math.max(...ends) + 1))
}

/** The classes of a style of a terminal; undefined: it is plain. */
const ansiClass = ({ colour, bold, dim, italic, underline }: AnsiStyle): string | undefined =>
  cx(colour && `ansi-${colour}`, bold && 'ansi-bold', dim && 'ansi-dim', italic && 'ansi-italic', underline && 'ansi-underline') ||
  undefined

/** A line of a program in its own colours, as text; other hidden characters are named. */
export function AnsiText({ line }: { readonly line: string }) {
  return parseAnsi(line).map(({ text, style }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one line have no other identity.
    <VisibleText key={index} className={ansiClass(style)} text={text} />
  ))
}
