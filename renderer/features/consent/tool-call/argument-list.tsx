// Arguments for reading: paths set off (folder grey, name bold), text with line breaks as text, nested values as JSON. Nothing is cut:
// long text scrolls in its own box. Invisible characters are named.
import { Fragment, memo, useMemo } from 'react'
import { t } from '#app/i18n/translate.ts'
import { type Json, type JsonObject, pointerTo } from '#app/json.ts'
import { Growing, InParts, textsWithin, useTextsInTurn, VisibleValue } from '#renderer/ui/visible-text.tsx'
import { isLong, isPlain, isPlainList, needsQuotes, splitPath } from './argument-blocks.ts'
import { clipped, jsonWithSpans, Spanned, type TaintSpan, useSpansAt } from './taint-marks.tsx'

/** Items of one list that React draws anew together. */
const itemsOfGroup = 20
/** Entries of one grid: each that is added lays out its grid anew. */
export const entriesOfGrid = 100

/** `at`: JSON Pointer to the value, in the arguments. */
export function ArgumentList({ value, at = '' }: { readonly value: JsonObject; readonly at?: string }) {
  const entries = useMemo(() => Object.entries(value), [value])
  const lengths = useMemo(() => entries.map(([name, item]) => name.length + lengthOf(item)), [entries])
  const drawn = useTextsInTurn(lengths)
  if (entries.length === 0) return <p className="help">{t`no arguments`}</p>
  const lists = startsOf(drawn, entriesOfGrid).map((from) => (
    <Entries key={from} entries={entries} from={from} to={Math.min(drawn, from + entriesOfGrid)} at={at} />
  ))
  if (textsWithin(lengths, 0) === entries.length) return lists
  return (
    <div className="arg-lists">
      {lists}
      {drawn < entries.length && <Growing />}
    </div>
  )
}

const lengthOf = (value: Json): number => (typeof value === 'string' ? value.length : JSON.stringify(value).length)

/** Numbers of the first items of groups of `size`. */
const startsOf = (count: number, size: number): number[] => Array.from({ length: Math.ceil(count / size) }, (_, group) => group * size)

interface EntriesProps {
  readonly entries: readonly (readonly [name: string, item: Json])[]
  readonly from: number
  readonly to: number
  readonly at: string
}

const Entries = memo(({ entries, from, to, at }: EntriesProps) => (
  <dl className="args">
    {entries.slice(from, to).map(([name, item]) => (
      <Fragment key={name}>
        <dt>
          <VisibleValue text={name} />
        </dt>
        <dd>
          <ArgumentValue value={item} at={at + pointerTo(name)} />
        </dd>
      </Fragment>
    ))}
  </dl>
))

export function ArgumentValue({ value, at }: { readonly value: Json; readonly at: string }) {
  const spansAt = useSpansAt()
  const spans = spansAt(at)
  if (typeof value === 'string') return <TextValue text={value} spans={spans} />
  if (isPlain(value)) return <Spanned text={String(value)} spans={spans} />
  if (isPlainList(value)) return <PlainItems items={value} at={at} />
  return <LongText {...jsonWithSpans(value, at, spansAt)} />
}

function PlainItems({ items, at }: { readonly items: readonly Json[]; readonly at: string }) {
  const drawn = useTextsInTurn(useMemo(() => items.map(lengthOf), [items]))
  return (
    <ul className="arg-items">
      {startsOf(drawn, itemsOfGroup).map((from) => (
        <Items key={from} items={items} from={from} to={Math.min(drawn, from + itemsOfGroup)} at={at} />
      ))}
      {drawn < items.length && <li hidden data-growing="" />}
    </ul>
  )
}

type ItemsProps = Omit<EntriesProps, 'entries'> & { readonly items: readonly Json[] }

const Items = memo(({ items, from, to, at }: ItemsProps) =>
  items.slice(from, to).map((item, index) => (
    <li key={String(index)}>
      <ArgumentValue value={item} at={at + pointerTo(String(from + index))} />
    </li>
  )),
)

type TextProps = { readonly text: string; readonly spans?: readonly TaintSpan[] }

function TextValue({ text, spans = [] }: TextProps) {
  if (text === '') return <span className="faint">{t`empty text`}</span>
  if (isLong(text)) return <LongText text={text} spans={spans} />
  if (needsQuotes(text)) return <Spanned {...jsonWithSpans(text, '', () => spans)} />
  return splitPath(text) ? <PathText text={text} spans={spans} /> : <Spanned text={text} spans={spans} />
}

/** The folder grey, the name bold. */
export function PathText({ text, spans = [] }: TextProps) {
  const path = splitPath(text)
  if (!path) return <Spanned text={text} spans={spans} />
  const { length } = path.folder
  return (
    <span className="path">
      <u>
        <Spanned text={path.folder} spans={clipped(spans, 0, length)} />
      </u>
      <b>
        <Spanned text={path.name} spans={clipped(spans, length, text.length)} />
      </b>
    </span>
  )
}

export const LongText = ({ text, spans = [], label = t`long value` }: TextProps & { readonly label?: string }) => (
  <figure className="code arg-long" aria-label={label}>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
    <pre tabIndex={0} className="wrapit">
      <InParts text={text} draw={(from, to) => <Spanned text={text.slice(from, to)} spans={clipped(spans, from, to)} />} />
    </pre>
  </figure>
)
