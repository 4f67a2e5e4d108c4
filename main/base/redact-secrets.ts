// Masks secrets in text that a server wrote, before it is shown or stored. A secret is found as it is, JSON-escaped and URL-encoded in any
// mixture and depth, in hex, in base64 at any offset (RFC 4648, 4, 5 and 8), in these within one another, and with a terminal's codes between
// its letters; also a third or more of it at the end or beginning of a line, and its beginning at the end of a cut line.

import { isIP } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import { HostError } from '#app/errors.ts'
import { isJsonObject } from '#app/json.ts'
import { parseJson } from '#app/or-else.ts'
import { looksSecret, MASK, maskText } from '#app/text/secret-names.ts'

/** Shortest secret, in UTF-16 units: shorter values would mask half the text. */
const shortest = 6

const isLong = (value: string): boolean => value.length >= shortest

/** Runs of what could be base64 or hex, in lines too; longer ones are looked at in parts. */
const base64Run = /[\w+/-](?:[\w+/=-]|[\r\n]|\\{1,8}[rn]|%(?:25)*(?:2b|2f|3d)){15,100000}/gi
const hexRun = /[0-9a-f]{2}(?:(?:[\s:,-]|0x|\\{1,4}x){0,3}[0-9a-f]{2}){5,50000}/gi
/** Encodings within encodings: base64 of base64. */
const deepest = 2
/** Part of decoded bytes that may be encoded text itself. The bytes of a picture have few. */
const encodedText = /[\t\n\r -~]{12,}/g

export function createMask(values: readonly string[]): (text: string) => string {
  const whole = wholeOf(values)
  if (whole.length === 0) return (text) => text
  // Longest first: a secret may begin with another.
  const secrets = [...new Set(whole.flatMap(spellings))].sort((a, b) => b.length - a.length)
  const bytes = whole.map((value) => Buffer.from(value).toString('latin1'))
  const holds = (text: string, depth: number): boolean =>
    secrets.some((secret) => text.includes(secret)) ||
    decodingsFor(text).some((decoding) => hasAny(plainText(text, decoding), whole)) ||
    runsOf(text).some((run) => isOne(run, depth))
  const isOne = (run: string, depth: number): boolean =>
    depth < deepest &&
    decoded(run).some((text) => hasAny(text, bytes) || (text.match(encodedText) ?? []).some((part) => holds(part, depth + 1)))
  const maskRun = (run: string): string => (isOne(run, 0) ? MASK : run)
  const withoutWhole = (text: string): string => secrets.reduce(maskOne, text)
  return (text) =>
    maskReadings(whole.reduce(maskPieces, withoutWhole(text)), whole)
      .replace(hexRun, maskRun)
      .replace(base64Run, maskRun)
}

const wholeOf = (values: readonly string[]): string[] => [...new Set(values.flatMap(partsOf))].filter(isLong)

/** Lists secrets and their parts as they are, JSON-escaped, URL-encoded, in hex and in base64. */
const secretSpellings = (values: readonly string[]): string[] =>
  wholeOf(values).flatMap((value) => [...spellings(value), encodeURIComponent(value.toWellFormed())])

const runsOf = (text: string): string[] => [...(text.match(hexRun) ?? []), ...(text.match(base64Run) ?? [])]

const hasAny = (text: string, values: readonly string[]): boolean => values.some((value) => text.includes(value))

/** Decodes a run as hex, without separators, and as base64 from each of its first four letters. Returns Latin-1: one letter for each byte. */
function decoded(run: string): string[] {
  const digits = run.replace(/[\s:,-]|0x|\\+x/gi, '')
  const hex = /^[0-9a-f]+$/i.test(digits) ? [Buffer.from(digits, 'hex').toString('latin1')] : []
  const letters = run
    .replace(/%(?:25)*2b/gi, '+')
    .replace(/%(?:25)*2f/gi, '/')
    .replace(/\\*[\r\n]|\\+[rn]|=|%(?:25)*3d/gi, '')
  return [...hex, ...[0, 1, 2, 3].map((skipped) => Buffer.from(letters.slice(skipped), 'base64').toString('latin1'))]
}

/** Lists what of a value is a secret by itself: without its scheme, each line of a key, the texts in JSON, both halves of a pair; and its Unicode forms. */
function partsOf(value: string): string[] {
  const bare = /^(?:bearer|basic|dpop|token) +(\S.*)$/is.exec(value)?.slice(1) ?? []
  const lines = value.includes('\n') ? value.split(/\r?\n/).filter((line) => line.length >= 16 && !line.startsWith('-----')) : []
  const pair = /^[^\s:/]+(?::[^\s:]+){1,2}$/.test(value) ? value.split(':').filter((part) => part.length >= 16) : []
  return [value, ...bare, ...lines, ...pair, ...secretTexts(parseJson(value)).flatMap(partsOf)].flatMap((text) => [
    text,
    text.normalize('NFC'),
    text.normalize('NFD'),
  ])
}

/** Lists the texts of JSON under names that look secret; `d`: the private part of a JSON Web Key. */
export function secretTexts(value: unknown, name = ''): string[] {
  if (typeof value === 'string') return looksSecret(name) || name === 'd' ? [value] : []
  if (Array.isArray(value)) return value.flatMap((item: unknown) => secretTexts(item, name))
  return isJsonObject(value) ? Object.entries(value).flatMap(([inner, item]) => secretTexts(item, inner)) : []
}

/** Masks the message and data of an error. Returns the same one when nothing is masked. */
export function maskError(mask: (text: string) => string, error: unknown): unknown {
  // The reason of an AbortSignal: Node's own text, and read-only.
  if (!(error instanceof Error) || error instanceof DOMException) return error
  if (error instanceof HostError) {
    const { code, message, data } = error
    const shown = maskTexts(mask, data)
    return mask(message) === message && isDeepStrictEqual(shown, data)
      ? error
      : new HostError(code, mask(message), { data: shown, cause: error.cause })
  }
  // Another class (a protocol error) keeps its class, code and stack.
  error.message = mask(error.message)
  if ('data' in error && error.data !== undefined) error.data = maskTexts(mask, error.data)
  return error
}

export function maskTexts<T>(mask: (text: string) => string, value: T): T {
  const walk = (part: unknown): unknown => {
    if (typeof part === 'string') return mask(part)
    if (Array.isArray(part)) return part.map(walk)
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(Object.entries(part).map(([key, item]) => [mask(key), walk(item)]))
  }
  // Texts stay texts, so the type is the same.
  return walk(value) as T
}

const spellings = (value: string): string[] => {
  const bytes = Buffer.from(value)
  const hex = bytes.toString('hex')
  return [value, JSON.stringify(value).slice(1, -1), hex, hex.toUpperCase(), ...[0, 1, 2].flatMap((offset) => base64Core(bytes, offset))]
}

/** Base64 of bytes that stand `offset` bytes after a multiple of three, without the characters that depend on what is around them. */
function base64Core(bytes: Buffer, offset: number): string[] {
  const first = Math.ceil((offset * 8) / 6)
  const end = Math.floor(((offset + bytes.length) * 8) / 6)
  const core = Buffer.concat([Buffer.alloc(offset), bytes])
    .toString('base64')
    .slice(first, end)
  return [core, core.replaceAll('+', '-').replaceAll('/', '_')]
}

/** Codes of a terminal, and characters that nobody sees: they may stand between any two letters. */
const invisible = String.raw`(?:\u001b|\\+u001b)\[[0-?]*[ -/]*[@-~]|[\p{Default_Ignorable_Code_Point}]`
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
const isEncoded = /[%\\\u001b\p{Default_Ignorable_Code_Point}]/u
const rest = String.raw`\\+(?:u[0-9a-f]{4}|[^\\])?|\+`
const [escapes, deepEscapes] = ['', '(?:25)*'].map((again) => new RegExp(`${invisible}|(?:%${again}[0-9a-f]{2})+|${rest}`, 'giu')) as [
  RegExp,
  RegExp,
]
const isInvisible = new RegExp(`^(?:${invisible})$`, 'u')

interface Reading {
  readonly text: string
  /** Places where each UTF-16 unit begins and ends in what was read. */
  readonly begins: readonly number[]
  readonly ends: readonly number[]
}

const controls: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }
/** Ways to decode a text, since it does not say which is meant: percent signs encoded twice or once, `+` as a space or a plus sign, `\\n` as a line end or as two letters. */
const decodings = [
  { deep: true, plus: ' ', short: controls },
  { deep: false, plus: ' ', short: controls },
  { deep: true, plus: '+', short: controls },
  { deep: false, plus: '+', short: controls },
  { deep: false, plus: '+', short: {} as typeof controls },
]
type Decoding = (typeof decodings)[number]

/** Lists the ways that give different results for this text. */
const decodingsFor = (text: string): readonly Decoding[] => {
  if (!isEncoded.test(text)) return []
  const [deep, plus, short] = [text.includes('%25'), text.includes('+'), text.includes('\\')]
  return decodings.filter((one) => (deep || !one.deep) && (plus || one.plus === '+') && (short || one.short === controls))
}

/** Decodes a text: removes its percent-encoding (RFC 3986, 2.1) and its JSON escapes (RFC 8259, 7), those of JSON within JSON too. */
const plainText = (text: string, { deep, plus, short }: Decoding): string =>
  text.replace(deep ? deepEscapes : escapes, (coded) => {
    if (coded.startsWith('%')) return Buffer.from(coded.replace(deep ? /%(?:25)*(?=[0-9a-f]{2})/gi : /%/g, ''), 'hex').toString()
    if (coded === '+') return plus
    return isInvisible.test(coded) ? '' : unescaped(coded, short)
  })

/** Decodes as `plainText` does, and returns where each letter stood. */
function read(text: string, { deep, plus, short }: Decoding): Reading {
  const [begins, ends, pieces]: [number[], number[], string[]] = [[], [], []]
  const put = (piece: string, begin: number, end?: number): void => {
    pieces.push(piece)
    for (let at = 0; at < piece.length; at += 1) {
      begins.push(end === undefined ? begin + at : begin)
      ends.push(end ?? begin + at + 1)
    }
  }
  let done = 0
  for (const { 0: coded, index } of text.matchAll(deep ? deepEscapes : escapes)) {
    put(text.slice(done, index), done)
    done = index + coded.length
    if (isInvisible.test(coded)) continue
    if (coded.startsWith('%')) for (const [character, from, to] of percentDecoded(coded, deep)) put(character, index + from, index + to)
    else put(coded === '+' ? plus : unescaped(coded, short), index, done)
  }
  put(text.slice(done), done)
  return { text: pieces.join(''), begins, ends }
}

function unescaped(coded: string, short: Readonly<Record<string, string>>): string {
  const last = coded.replace(/^\\+/, '')
  if (/^u[0-9a-f]{4}$/i.test(last)) return String.fromCharCode(Number.parseInt(last.slice(1), 16))
  return short[last] ?? (last === '"' || last === '/' ? last : `\\${last}`)
}

/** Characters of a run of percent-encoded bytes, and where each begins and ends in it. */
function* percentDecoded(run: string, deep: boolean): Generator<readonly [character: string, begin: number, end: number]> {
  const parts = run.matchAll(deep ? /%(?:25)*([0-9a-f]{2})/gi : /%([0-9a-f]{2})/gi)
  const bytes = [...parts].map(({ 0: { length }, 1: hex = '', index }) => ({ byte: Number.parseInt(hex, 16), end: index + length }))
  let begin = 0
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at]?.byte ?? 0
    const taken = bytes.slice(at, at + (first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4))
    const end = taken.at(-1)?.end ?? run.length
    yield [Buffer.from(taken.map(({ byte }) => byte)).toString(), begin, end]
    begin = end
    at += taken.length
  }
}

/** Masks values that stand escaped in the text. */
function maskReadings(text: string, values: readonly string[]): string {
  let masked = text
  for (const decoding of decodingsFor(text)) {
    if (!hasAny(plainText(masked, decoding), values)) continue
    const { text: plain, begins, ends } = read(masked, decoding)
    let before = masked.length
    for (const [from, to] of values.flatMap((value) => placesOf(plain, value)).sort((a, b) => b[0] - a[0])) {
      const [begin, end] = [begins[from] ?? 0, Math.min(before, ends[to - 1] ?? 0)]
      masked = `${masked.slice(0, begin)}${MASK}${masked.slice(end)}`
      before = begin
    }
  }
  return masked
}

function placesOf(text: string, value: string): [from: number, to: number][] {
  const places: [number, number][] = []
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length)) places.push([at, at + value.length])
  return places
}

/** Masks a secret, and its beginning where a text was cut. */
function maskOne(text: string, secret: string): string {
  const masked = text.replaceAll(secret, MASK)
  const cut = masked.endsWith('…') ? masked.slice(0, -1) : undefined
  if (cut === undefined) return masked
  for (let length = Math.min(secret.length - 1, cut.length); length > 0; length--) {
    if (cut.endsWith(secret.slice(0, length))) return `${cut.slice(0, -length)}${MASK}…`
  }
  return masked
}

/** Shortest piece of a secret that is masked where a line breaks it. */
const shortestPiece = 8

/** Masks a third or more of a secret at the end of a line, where it begins, and at the beginning of one, where it ends. */
function maskPieces(text: string, secret: string): string {
  const least = Math.max(shortestPiece, Math.ceil(secret.length / 3))
  if (secret.length <= least) return text
  const breaks = (letter: string | undefined): boolean => letter === undefined || letter === '\n' || letter === '\r'
  let masked = text
  const head = secret.slice(0, least)
  for (let at = masked.indexOf(head); at >= 0; at = masked.indexOf(head, at + 1)) {
    let end = at + least
    while (end - at < secret.length && masked[end] === secret[end - at]) end += 1
    if (breaks(masked[end])) masked = masked.slice(0, at) + MASK + masked.slice(end)
  }
  const tail = secret.slice(-least)
  for (let at = masked.indexOf(tail); at >= 0; at = masked.indexOf(tail, at + 1)) {
    let begin = at
    const end = at + least
    while (end - begin < secret.length && begin > 0 && masked[begin - 1] === secret.at(begin - 1 - end)) begin -= 1
    if (breaks(masked[begin - 1])) masked = masked.slice(0, begin) + MASK + masked.slice(end)
  }
  return masked
}

// Masks secrets in the names of hosts. A name says less than text: lower case, letters and digits, parts of 63. So a secret is looked for
// there without case and signs, over the dots, as it is, in hex, base32 and base64 (RFC 4648), and in pieces of it, each a part of the name.

/** Piece of a secret that is masked when it is a whole part of the name: a shorter one, or one without a digit, may be a word. */
const isPiece = (part: string): boolean => part.length >= (/\d/.test(part) ? 8 : 16)
/** Shortest secret that is looked for in the last two parts too, which somebody has registered. */
const shortestAnywhere = 16
/** Letters of a name that are kept: a longer one is no host to allow. */
const longest = 120

const bare = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** @param values secrets, as they are */
export function createHostMask(values: readonly string[]): (host: string) => string {
  const secrets = [...new Set(secretSpellings(values).flatMap((one) => [bare(one), bare(base32(one))]))].filter((one) => one.length >= 6)
  const named = values.map((value) => value.toLowerCase())
  /** Tells whether a secret is an address of this host, which then says nothing of it. */
  const isAddressed = (host: string): boolean => named.some((value) => value.includes(`//${host}`) || value.includes(`@${host}`))
  return (host) => {
    if (isIP(host) !== 0 || isAddressed(host)) return host
    const parts = maskText(host).split('.')
    const plain = parts.map(bare)
    const whole = plain.join('')
    const starts = plain.map((_, index) => plain.slice(0, index).join('').length)
    const isOf = (index: number): boolean => {
      const [part = '', from = 0] = [plain[index], starts[index]]
      const isRegistered = index >= parts.length - 2
      return secrets.some((secret) => {
        if (isRegistered && secret.length < shortestAnywhere) return false
        if (!isRegistered && isPiece(part) && secret.includes(part)) return true
        for (let at = whole.indexOf(secret); at !== -1; at = whole.indexOf(secret, at + 1))
          if (at < from + part.length && from < at + secret.length) return true
        return false
      })
    }
    const masked = parts.map((part, index) => (part !== MASK && isOf(index) ? MASK : part))
    const shown = masked.filter((part, index) => part !== MASK || masked[index - 1] !== MASK).join('.')
    return shown.length > longest ? `${shown.slice(0, longest / 3)}…${shown.slice((-longest * 2) / 3)}` : shown
  }
}

/** Base32 without padding, as names carry bytes. */
function base32(text: string): string {
  const bits = [...Buffer.from(text)].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => 'abcdefghijklmnopqrstuvwxyz234567'[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}
