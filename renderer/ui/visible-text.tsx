import { type ComponentProps, useMemo, useState } from 'react'
import type { WordPiece } from '#app/consent/rules/rule-labels.ts'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type Json } from '#app/json.ts'
import { formatBytes } from '#app/text/format-text.ts'
import { fuzzyMatch } from '#app/text/fuzzy-match.ts'
import { foldBlanks, hasHidden, revealHidden, type Segment } from '#app/text/hidden-characters.ts'
import { registrableDomain } from '#app/text/registrable-domain.ts'
import { SmallButton } from './button.tsx'
import { cx } from './lib/class-names.ts'

/** Limit of combining marks on one letter: no script has as many, and a browser takes seconds to place thousands. */
export const mostMarks = 16
const tooMany = new RegExp(`(?<=\\p{M}{${mostMarks}})\\p{M}+`, 'gu')
/** Fast test: nearly every text has no marks. */
const mayHaveMarks = /[^\0-\u02ff]/
const hasTooMany = new RegExp(`\\p{M}{${mostMarks + 1}}`, 'u')

/** Splits a text at its invisible characters and excess combining marks, each of which gets a name. */
function segmentsOf(text: string): readonly Segment[] {
  const segments = revealHidden(text)
  return mayHaveMarks.test(text) && hasTooMany.test(text)
    ? segments.flatMap((one) => (one.kind === 'text' ? withoutMarks(one.text) : [one]))
    : segments
}

function withoutMarks(text: string): Segment[] {
  const segments: Segment[] = []
  let end = 0
  for (const { 0: found, index } of text.matchAll(tooMany)) {
    segments.push({ kind: 'text', text: text.slice(end, index) })
    segments.push({ kind: 'hidden', text: found, name: t`${formatNumber([...found].length)} more marks` })
    end = index + found.length
  }
  return [...segments, { kind: 'text', text: text.slice(end) }]
}

/** Visible text as a string, for places that hold only text, such as options of a select. */
export const visibleTextOf = (text: string): string =>
  segmentsOf(text)
    .map((segment) => (segment.kind === 'text' ? segment.text : `[${segment.name}]`))
    .join('')

interface VisibleTextProps extends Omit<ComponentProps<'span'>, 'children'> {
  /** Undefined: nothing is drawn. */
  readonly text: string | undefined
  /** Element around the text. Default: a span where it has a class or another attribute, else none. */
  readonly as?: 'b' | 'code' | 'dd' | 'div' | 'dt' | 'h2' | 'li' | 'p' | 'pre' | 'q' | 'span' | 'td'
}

/** Draws text of a server, a publisher or a file with each invisible character replaced by its name. */
export function VisibleText({ text, as, ...attributes }: VisibleTextProps) {
  if (text === undefined) return null
  const shown = segmentsOf(text).map((segment, index) =>
    segment.kind === 'text' ? (
      segment.text
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text have no other identity.
      <span key={index} className="reveal">
        {segment.name}
      </span>
    ),
  )
  if (as === undefined && Object.values(attributes).every((value) => value === undefined)) return shown
  const Element = as ?? 'span'
  return <Element {...(attributes as object)}>{shown}</Element>
}

/** Draws a value under approval: runs of blanks are named too, so that none pushes the rest out of view. */
export function VisibleValue({ text }: { readonly text: string }) {
  return foldBlanks(text).map((piece, index) =>
    piece.kind === 'text' ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text have no other identity.
      <VisibleText key={index} text={piece.text} />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <BlankRun key={index} name={piece.name} line={piece.text.endsWith('\n')} />
    ),
  )
}

export const BlankRun = ({ name, line }: { readonly name: string; readonly line: boolean }) => (
  <>
    <span className="reveal blank">{name}</span>
    {line && '\n'}
  </>
)

/** A text with the letters of a fuzzy query in bold. */
export function HighlightMatch({ text, query }: { readonly text: string; readonly query: string }) {
  const at = new Set(fuzzyMatch(query, text)?.at)
  if (at.size === 0) return <VisibleText text={text} />
  const pieces: { text: string; hit: boolean }[] = []
  for (const [index, letter] of text.split('').entries()) {
    const last = pieces.at(-1)
    if (last?.hit === at.has(index)) last.text += letter
    else pieces.push({ text: letter, hit: at.has(index) })
  }
  return pieces.map((piece, index) =>
    piece.hit ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other identity
      <b key={index}>{piece.text}</b>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other identity
      <VisibleText key={index} text={piece.text} />
    ),
  )
}

/** A sentence about a rule or a request, with the names of servers and tools set off. `plain`: class of the words between. */
export function Pieces({ pieces, plain = 'dim' }: { readonly pieces: readonly WordPiece[]; readonly plain?: string }) {
  return pieces.map(({ text, code, name }, index) =>
    name === 'server' ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one sentence have no other identity.
      <ServerName key={index} name={text} />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <VisibleText key={index} className={cx(code ? 'mono' : plain, name && 'tool-name') || undefined} text={text} />
    ),
  )
}

/** A server's name in a sentence, set off: no name reads as Assent's own words. */
export const ServerName = ({ name }: { readonly name: string }) => <VisibleText as="b" className="server-name" text={name} />

/** Whether a string or a name anywhere in the value holds a character that cannot be seen. */
export function anyHidden(value: Json): boolean {
  if (typeof value === 'string') return hasHidden(value)
  if (Array.isArray(value)) return value.some((item: Json) => anyHidden(item))
  if (isJsonObject(value)) return Object.entries(value).some(([name, item]) => hasHidden(name) || anyHidden(item))
  return false
}

/** Host of a web address, or the text itself where it is no address. */
export const addressHost = (address: string): string => (URL.canParse(address) ? new URL(address).host : address)

type AddressParts = Readonly<Record<'before' | 'domain' | 'after', string>>

const Parts = ({ before, domain, after }: AddressParts) => (
  <>
    {before}
    <b>{domain}</b>
    {after}
  </>
)

/** Splits an http(s) address around its registrable domain. Undefined for any other text, which cannot be opened. */
export function addressParts(url: string): AddressParts | undefined {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined
  // The parsed form is the one that a browser opens: a host with look-alike letters shows as punycode.
  const { hostname, host, href } = new URL(url)
  const domain = registrableDomain(hostname)
  const at = href.lastIndexOf(domain, href.indexOf('/', 8) < 0 ? href.length : href.indexOf(host, 8) + host.length)
  if (at < 0) return { before: '', domain: href, after: '' }
  return { before: href.slice(0, at), domain, after: href.slice(at + domain.length) }
}

/** An address within a line, named and not opened. The slash that parsing adds to `https://a.example` is left out. */
export function AddressName({ url }: { readonly url: string }) {
  const parts = addressParts(url)
  if (!parts) return <VisibleText text={url} />
  const bare = parts.after === '/' && !url.endsWith('/')
  return (
    <span className="address-name">
      <Parts {...parts} after={bare ? '' : parts.after} />
    </span>
  )
}

/** A source of a Content-Security-Policy: `wss://a.example:8443`, `https://*.a.example`. */
export function SourceName({ source }: { readonly source: string }) {
  const parts = /^([a-z]+:\/\/(?:\*\.)?)([^:/]+)(.*)$/.exec(source)
  if (!parts) return <VisibleText text={source} />
  const [, scheme = '', host = '', after = ''] = parts
  const domain = registrableDomain(host)
  return (
    <span className="address-name">
      <Parts before={scheme + host.slice(0, host.length - domain.length)} domain={domain} after={after} />
    </span>
  )
}

export function WebAddress({ url }: { readonly url: string }) {
  const parts = addressParts(url)
  return <div className="url">{parts ? <Parts {...parts} /> : <VisibleText text={url} />}</div>
}

/** UTF-16 units and lines that are drawn before the person asks for more. */
export const mostCharacters = 60_000
const mostLines = 2000

/** The part to draw: whole lines, where they are not too long. `times`: number of parts asked for. */
function shownPart(text: string, times: number): string {
  let end = Math.min(text.length, mostCharacters * times)
  let lines = 0
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) {
    lines += 1
    if (lines === mostLines * times) end = at
  }
  if (end === text.length) return text
  const line = text.lastIndexOf('\n', end)
  return text.slice(0, line > end / 2 ? line : end).toWellFormed()
}

/** The part to draw, and the button for more of it, labelled `words`, where there is more. */
export function useShownPart(text: string, words: string, copyTakesAll = false) {
  const [times, setTimes] = useState(1)
  const shown = useMemo(() => shownPart(text, times), [text, times])
  const left = text.length - shown.length
  if (left === 0) return { shown, more: undefined }
  const size = formatBytes(left)
  const more = (
    <span className="row code-more">
      <SmallButton onClick={() => setTimes(times + 1)}>{words}</SmallButton>
      <span className="dim">{copyTakesAll ? t`${size} not shown. Copy takes all of it.` : t`${size} not shown.`}</span>
    </span>
  )
  return { shown, more }
}

/** Long text within a line or a paragraph. */
export function LongVisibleText({ text, copyTakesAll = false }: { readonly text: string; readonly copyTakesAll?: boolean }) {
  const { shown, more } = useShownPart(text, t`Show more of this long text`, copyTakesAll)
  return (
    <>
      <VisibleText text={shown} />
      {more}
    </>
  )
}

/** Long text in a box that scrolls. Not for text under approval, which must be shown whole. */
export function LongBox({ text, label }: { readonly text: string; readonly label: string }) {
  const { shown, more } = useShownPart(text, t`Show more of this long text`)
  return (
    <figure className="code arg-long" aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <pre tabIndex={0} className="wrapit">
        <VisibleText text={shown} />
      </pre>
      {more}
    </figure>
  )
}
