// Arguments as they are read: paths set off (folder grey, name bold), text with line breaks as text, anything nested as
// JSON. Nothing is shortened: what is long scrolls in its own box. Characters that cannot be seen are spelled out.
import type { Json, JsonObject } from '#app/json.ts'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { isLong, isPlain, isPlainList, needsQuotes } from './argument-blocks.ts'
import { splitPath } from './split-path.ts'

export function ArgumentList({ value }: { readonly value: JsonObject }) {
  const entries = Object.entries(value)
  if (entries.length === 0) return <p className="help">No arguments.</p>
  return (
    <dl className="args">
      {entries.map(([name, item]) => (
        <Argument key={name} name={name} value={item} />
      ))}
    </dl>
  )
}

function Argument({ name, value }: { readonly name: string; readonly value: Json }) {
  return (
    <>
      <dt>
        <Revealed text={name} />
      </dt>
      <dd>
        <ArgumentValue value={value} />
      </dd>
    </>
  )
}

export function ArgumentValue({ value }: { readonly value: Json }) {
  if (typeof value === 'string') return <TextValue text={value} />
  if (isPlain(value)) return String(value)
  if (isPlainList(value)) {
    return (
      <ul className="arg-items">
        {value.map((item, index) => (
          <li key={String(index)}>
            <ArgumentValue value={item} />
          </li>
        ))}
      </ul>
    )
  }
  return <LongText text={JSON.stringify(value, null, 2)} />
}

function TextValue({ text }: { readonly text: string }) {
  if (text === '') return <span className="faint">empty text</span>
  if (isLong(text)) return <LongText text={text} />
  if (needsQuotes(text)) return <Revealed text={JSON.stringify(text)} />
  return splitPath(text) ? <PathText text={text} /> : <Revealed text={text} />
}

/** The folder grey, the name bold. */
export function PathText({ text }: { readonly text: string }) {
  const path = splitPath(text)
  if (!path) return <Revealed text={text} />
  return (
    <span className="path">
      <u>
        <Revealed text={path.folder} />
      </u>
      <b>
        <Revealed text={path.name} />
      </b>
    </span>
  )
}

export function LongText({ text, label = 'long value' }: { readonly text: string; readonly label?: string }) {
  return (
    <figure className="code arg-long" aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <pre tabIndex={0} className="wrapit">
        <Revealed text={text} />
      </pre>
    </figure>
  )
}
