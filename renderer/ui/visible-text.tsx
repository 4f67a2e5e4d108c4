import { type ComponentProps, memo, type ReactNode, useMemo, useState } from 'react'
import { serverNamePiece, toolNamePiece, type WordPiece } from '#app/consent/rules/rule-labels.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type Json } from '#app/json.ts'
import { formatBytes } from '#app/text/format-text.ts'
import { fuzzyMatch } from '#app/text/fuzzy-match.ts'
import { foldBlanks, hasHidden, type Segment } from '#app/text/hidden-characters.ts'
import { registrableDomain } from '#app/text/host-name.ts'
import { SmallButton } from './button.tsx'
import { cx } from './lib/class-names.ts'
import { useInTurn } from './lib/in-turn.ts'
import { hasTooMany, segmentsOf, withBreaks } from './lib/text-segments.ts'

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

const drawSegments = (segments: readonly Segment[]): ReactNode =>
  segments.map((segment, index) =>
    segment.kind === 'text' ? (
      withBreaks(segment.text)
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text have no other identity.
      <span key={index} className="reveal">
        {segment.name}
      </span>
    ),
  )

/** A text that hides much: so many segments at a time, in turn. */
function ManySegments({ text }: { readonly text: string }) {
  const segments = useMemo(() => segmentsOf(text), [text])
  const drawn = useInTurn(segments.length, (done) => done + mostSegments)
  return (
    <>
      {Array.from({ length: Math.ceil(drawn / mostSegments) }, (_, at) => (
        <SomeSegments key={String(at)} segments={segments} from={at * mostSegments} />
      ))}
      {drawn < segments.length && <span data-growing="" />}
    </>
  )
}

type SomeSegmentsProps = { readonly segments: readonly Segment[]; readonly from: number }

const SomeSegments = memo(({ segments, from }: SomeSegmentsProps) => (
  <span className="text-part">{drawSegments(segments.slice(from, from + mostSegments))}</span>
))

function drawVisible(text: string): ReactNode {
  const segments = segmentsOf(text)
  return segments.length <= mostSegments ? drawSegments(segments) : <ManySegments text={text} />
}

/** Draws text of a server, a publisher or a file with each invisible character replaced by its name. */
export function VisibleText({ text, as, ...attributes }: VisibleTextProps) {
  if (text === undefined) return null
  const shown = drawVisible(text)
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
      <VisibleText
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        key={index}
        className={
          cx(code ? 'mono' : name === 'account' ? 'account-name' : plain, name === 'tool' && 'tool-name', text === '?' && 'mark-after') ||
          undefined
        }
        text={text}
      />
    ),
  )
}

const setOff = (pieces: readonly WordPiece[], { text: name, ...look }: WordPiece): readonly WordPiece[] =>
  pieces.flatMap((piece) =>
    piece.name
      ? [piece]
      : piece.text.split(`“${name}”`).flatMap((text, index) => (index === 0 ? [{ text }] : [{ text: name, ...look }, { text }])),
  )

interface SentenceProps {
  readonly text: string
  readonly server: string | undefined
  readonly tool?: string | undefined
}

/** Sentence of the host, in which the names of its server and tool are set off in place of their quotation marks. */
export function SentenceOf({ server, tool, text }: SentenceProps) {
  const named = server === undefined ? [{ text }] : setOff([{ text }], serverNamePiece(server))
  return <Pieces pieces={tool === undefined ? named : setOff(named, toolNamePiece(tool))} plain="" />
}

/** A server's name in a sentence, set off: no name reads as Assent's own words. */
export const ServerName = ({ name }: { readonly name: string }) => <VisibleText as="b" className="server-name" text={name} />

/** Whether a string or a name anywhere in the value holds a character that cannot be seen, or marks that are not drawn. */
export function anyHidden(value: Json): boolean {
  if (typeof value === 'string') return hasHidden(value) || hasTooMany.test(value)
  if (Array.isArray(value)) return value.some((item: Json) => anyHidden(item))
  if (isJsonObject(value)) return Object.entries(value).some(([name, item]) => anyHidden(name) || anyHidden(item))
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

/** Limits of a part, which is drawn in one task: UTF-16 units, lines and, of the hidden characters in it and what is between them, segments. */
export const mostAtOnce = 8000
export const mostLinesAtOnce = 1000
export const mostSegments = 200

function leadingLines(text: string, most: number): string {
  let end = 0
  for (let lines = 0; lines < most; lines += 1) {
    end = text.indexOf('\n', end) + 1
    if (end === 0) return text
  }
  return text.slice(0, end)
}

/** End of the part from `from` on: after a line where there is one, else after a word, else anywhere but within a pair. */
export function endOfPart(text: string, from: number): number {
  const reach = leadingLines(text.slice(from, from + mostAtOnce), mostLinesAtOnce)
  const length = segmentsOf(reach)
    .slice(0, mostSegments)
    .reduce((sum, segment) => sum + segment.text.length, 0)
  const most = Math.max(2, Math.min(length, reach.length))
  if (from + most >= text.length) return text.length
  const half = reach.slice(most / 2, most)
  const last = half.lastIndexOf('\n') + 1 || half.lastIndexOf(' ') + 1
  if (last > 0) return from + Math.floor(most / 2) + last
  return from + most - (/[\uD800-\uDBFF]/.test(text.charAt(from + most - 1)) ? 1 : 0)
}

/** Gives the ends of the first parts of a text, each found once. */
function partsOf(text: string): (most: number) => readonly number[] {
  const ends = [endOfPart(text, 0)]
  return (most) => {
    for (let last = ends.at(-1) ?? 0; ends.length < most && last < text.length; ends.push(last)) last = endOfPart(text, last)
    return ends.slice(0, most)
  }
}

/** A text of any length, whole: its parts are drawn in turn. `data-growing`: there are more. */
export function InParts({ text, draw }: { readonly text: string; readonly draw: (from: number, to: number) => ReactNode }) {
  const parts = useMemo(() => partsOf(text), [text])
  const ends = parts(useInTurn(text.length, (done) => parts(done + 1).length) || 1)
  if (ends[0] === text.length) return draw(0, text.length)
  return (
    <>
      {ends.map((end, index) => (
        <Part key={end} from={ends[index - 1] ?? 0} to={end} draw={draw} />
      ))}
      {ends.at(-1) !== text.length && <span data-growing="" />}
    </>
  )
}

/** Limits of the texts of a list that are begun in one task. */
const textsAtOnce = 20

/** Number of texts that are begun after one more turn. `lengths`: UTF-16 units of each. */
export function textsWithin(lengths: readonly number[], drawn: number): number {
  let end = drawn
  for (let sum = 0; end < Math.min(lengths.length, drawn + textsAtOnce); end += 1) {
    sum += Math.min(lengths[end] ?? 0, mostAtOnce)
    if (sum > mostAtOnce && end > drawn) break
  }
  return end
}

/** Number of texts of a list that are begun now; the others follow in turn, and the caller draws `Growing` meanwhile. */
export const useTextsInTurn = (lengths: readonly number[]): number => useInTurn(lengths.length, (drawn) => textsWithin(lengths, drawn))

/** Mark of a list of which more is drawn in a moment. */
export const Growing = () => <span hidden data-growing="" />

type PartProps = { readonly from: number; readonly to: number; readonly draw: (from: number, to: number) => ReactNode }

const Part = memo(({ from, to, draw }: PartProps) => <span className="text-part">{draw(from, to)}</span>)

/** Text of a server of any length, whole. */
export const WholeVisibleText = ({ text }: { readonly text: string }) => (
  <InParts text={text} draw={(from, to) => <VisibleText text={text.slice(from, to)} />} />
)

/** Whether a text field shows all of the text: lines break in it, nothing in it is hidden, and it takes no time to lay out. */
export const fitsField = (text: string): boolean => text.length <= 10_000 && !anyHidden(text) && withBreaks(text) === text

/** Long text within a line or a paragraph. */
export function LongVisibleText({ text, copyTakesAll = false }: { readonly text: string; readonly copyTakesAll?: boolean }) {
  const { shown, more } = useShownPart(text, t`Show more of this long text`, copyTakesAll)
  return (
    <>
      <WholeVisibleText text={shown} />
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
        <WholeVisibleText text={shown} />
      </pre>
      {more}
    </figure>
  )
}
