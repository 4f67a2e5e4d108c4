// Scans JSON text without making values: whether it is JSON (RFC 8259), what it would cost to parse, and where one member stands. It works in steps, and
// is fast because it goes straight from each token to the most likely next one, with numbers in local variables.
import { randomInt } from 'node:crypto'

interface JsonWalkOptions {
  readonly path: readonly string[]
  /** Lists and objects within one another; in what goes deeper nothing is found. */
  readonly deepest: number
  /** Cost of what may be parsed, outside of the value that is looked for, or of all where that is parsed too; default: any. */
  readonly mostCost?: number
}

/**
 * Cost of parsing, beside the length of the text, in tenths of a microsecond, by measurements of Node 24 on two cores: the parser keeps one
 * of all names and short texts that are the same, and a shape of object for each name.
 */
const costOf = { name: 15, text: 4, value: 2 }

const quote = 0x22
const comma = 0x2c
const minus = 0x2d
const dot = 0x2e
const zero = 0x30
const colon = 0x3a
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

const value = 0
const valueOrEnd = 1
const name = 2
const nameOrEnd = 3
const afterValue = 4
const broken = 5

/** 1 for each of these bytes; beyond the end of the text there is none of any. */
const setOf = (characters: string): Uint8Array =>
  Uint8Array.from({ length: 256 }, (_, byte) => Number(characters.includes(String.fromCharCode(byte))))
const spaces = setOf(' \n\r\t')
const digits = setOf('0123456789')
const escapes = setOf('"\\/bfnrt')
const hex = setOf('0123456789abcdefABCDEF')
const plain = Uint8Array.from({ length: 256 }, (_, byte) => Number(byte >= 0x20 && byte !== quote && byte !== backslash))
const words: ReadonlyMap<number, Buffer> = new Map(['true', 'false', 'null'].map((word) => [word.charCodeAt(0), Buffer.from(word)]))

const mostNames = 1000

export function createJsonWalk(bytes: Buffer, { path, deepest, mostCost = Number.POSITIVE_INFINITY }: JsonWalkOptions) {
  let isObject = new Uint8Array(deepest + 1)
  const costs = createCosts(bytes, mostCost)
  let isTooDeep = false
  const seen = path.map(() => new Set<string>())
  const reached = { position: 0, state: value, depth: 0 }
  /** So many of the open levels, from the outermost, lead to the value that is looked for. */
  let onPath = 0
  let leads = false
  let start = -1
  let end = -1
  let isTwice = false

  /** A member's name on the way to the value. JSON does not say which of two of one name is meant. */
  function take(from: number, to: number): boolean {
    const names = seen[onPath - 1]
    if (!names) return true
    const text = JSON.parse(bytes.toString('utf8', from, to)) as string
    if (names.has(text) || names.size === mostNames) return false
    names.add(text)
    leads = text === path[onPath - 1]
    return true
  }

  function enter(at: number, depth: number): void {
    if (onPath === path.length) start = at
    else if (bytes[at] === openBrace && onPath === depth) onPath += 1
    leads = false
  }

  const isWithin = (): boolean => start !== -1 && end === -1

  function walk(until: number): void {
    let { position: at, state: now, depth } = reached
    leads ||= at === 0
    while (at < until && now !== broken) {
      let byte = bytes[at] as number
      if (spaces[byte] === 1) {
        at += 1
        continue
      }
      if (now === afterValue && byte === comma && depth > 0) {
        now = isObject[depth] === 1 ? name : value
        at = afterSpace(bytes, at + 1)
        byte = bytes[at] as number
      }
      if (byte === quote && (now === name || now === nameOrEnd)) {
        const to = endOfString(bytes, at)
        if (to !== -1 && depth === onPath && !isTwice) isTwice = !take(at, to)
        now = to === -1 || costs.takeName(at, to, isWithin()) ? broken : value
        at = afterSpace(bytes, to)
        if (bytes[at] !== colon) now = broken
        at = afterSpace(bytes, at + 1)
        byte = bytes[at] as number
      }
      if (byte === closeBrace || byte === closeBracket) {
        const kind = byte === closeBrace ? 1 : 0
        if (mayClose(now, kind) && depth > 0 && isObject[depth] === kind) {
          now = afterValue
          if (onPath === depth) onPath -= 1
          depth -= 1
          at += 1
          if (depth === path.length && start !== -1 && end === -1) end = at
        } else now = broken
      } else if (now > valueOrEnd) now = broken
      else {
        if (leads) enter(at, depth)
        if (byte === openBrace || byte === openBracket) {
          depth += 1
          isTooDeep ||= depth > deepest
          now = costs.takeValue(isWithin() && !isTooDeep) ? broken : byte === openBrace ? nameOrEnd : valueOrEnd
          if (depth === isObject.length) isObject = Uint8Array.from({ length: 2 * depth }, (_, level) => isObject[level] ?? 0)
          isObject[depth] = byte === openBrace ? 1 : 0
          at += 1
        } else {
          const to = endOfScalar(bytes, at, byte)
          now = to === -1 || (byte === quote && costs.takeText(at, to, isWithin())) ? broken : afterValue
          at = to
          if (depth === path.length && start !== -1 && end === -1) end = at
        }
      }
    }
    Object.assign(reached, { position: at, state: now, depth })
  }

  return {
    /** Goes on for about so many bytes, at least to the end of a string. True once it is over. */
    step(most: number): boolean {
      walk(Math.min(bytes.length, reached.position + most))
      return reached.state === broken || reached.position >= bytes.length
    },
    /** Finds the place of the value at the path. Undefined: there is none, or the text is not JSON, or too deep, or names twice what leads there. */
    found: () =>
      !isTwice && !isTooDeep && reached.state === afterValue && reached.depth === 0 && reached.position === bytes.length && end !== -1
        ? { start, end }
        : undefined,
    /** Whether what would be parsed costs more than it may. `keeps`: the value that was found is not parsed. */
    isTooCostly: costs.isTooMuch,
  }
}

/** Bytes of a text that the parser keeps one of, with its quotes. */
const longestShared = 12
/** Bits that texts are told apart by: of 40,000 some 800 are taken for one that was there. */
const placeBits = 20

function createCosts(bytes: Buffer, most: number) {
  const seed = randomInt(2 ** 31)
  const makeSide = () => ({ cost: 0, seen: new Uint8Array(2 ** (placeBits - 3)) })
  const [outside, within] = [makeSide(), makeSide()]

  function isNew(seen: Uint8Array, from: number, to: number): boolean {
    let hash = seed
    for (let at = from; at < to; at += 1) {
      hash = Math.imul(hash ^ (bytes[at] as number), 0x5bd1e995)
      hash ^= hash >>> 15
    }
    const place = hash >>> (32 - placeBits)
    const bit = 1 << (place & 7)
    const held = seen[place >>> 3] as number
    seen[place >>> 3] = held | bit
    return (held & bit) === 0
  }

  /** Each returns whether it is too much, whatever is found. */
  function take(cost: number, isWithin: boolean): boolean {
    if (isWithin) within.cost += cost
    else outside.cost += cost
    return outside.cost > most
  }

  return {
    takeName: (from: number, to: number, isWithin: boolean): boolean =>
      take(isNew((isWithin ? within : outside).seen, from, to) ? costOf.name : 0, isWithin),
    takeText: (from: number, to: number, isWithin: boolean): boolean =>
      to - from <= longestShared && take(isNew((isWithin ? within : outside).seen, from, to) ? costOf.text : 0, isWithin),
    takeValue: (isWithin: boolean): boolean => take(costOf.value, isWithin),
    isTooMuch: (keeps: boolean): boolean => outside.cost + (keeps ? 0 : within.cost) > most,
  }
}

const mayClose = (now: number, kind: number): boolean => now === afterValue || now === (kind === 1 ? nameOrEnd : valueOrEnd)

const endOfScalar = (bytes: Buffer, from: number, first: number): number =>
  first === quote ? endOfString(bytes, from) : digits[first] === 1 || first === minus ? endOfNumber(bytes, from) : endOfWord(bytes, from)

function afterSpace(bytes: Buffer, from: number): number {
  let at = from
  while (spaces[bytes[at] as number] === 1) at += 1
  return at
}

/** Where the string ends that begins there; -1 when it is none. The same for a number and for a word. */
function endOfString(bytes: Buffer, from: number): number {
  let at = from + 1
  for (;;) {
    while (plain[bytes[at] as number] === 1) at += 1
    if (bytes[at] === quote) return at + 1
    if (bytes[at] !== backslash) return -1
    const escaped = bytes[at + 1] as number
    if (escapes[escaped] === 1) at += 2
    else if (escaped === 0x75 && isHex(bytes, at + 2)) at += 6
    else return -1
  }
}

function isHex(bytes: Buffer, from: number): boolean {
  for (let at = from; at < from + 4; at += 1) if (hex[bytes[at] as number] !== 1) return false
  return true
}

function endOfNumber(bytes: Buffer, from: number): number {
  const whole = bytes[from] === minus ? from + 1 : from
  let at = afterDigits(bytes, whole)
  if (at === whole || (bytes[whole] === zero && at > whole + 1)) return -1
  if (bytes[at] === dot) {
    const fraction = at + 1
    at = afterDigits(bytes, fraction)
    if (at === fraction) return -1
  }
  if (bytes[at] === 0x65 || bytes[at] === 0x45) {
    const exponent = bytes[at + 1] === 0x2b || bytes[at + 1] === minus ? at + 2 : at + 1
    at = afterDigits(bytes, exponent)
    if (at === exponent) return -1
  }
  return at
}

function afterDigits(bytes: Buffer, from: number): number {
  let at = from
  while (digits[bytes[at] as number] === 1) at += 1
  return at
}

function endOfWord(bytes: Buffer, from: number): number {
  const word = words.get(bytes[from] as number)
  if (!word) return -1
  for (let n = 0; n < word.length; n += 1) if (bytes[from + n] !== word[n]) return -1
  return from + word.length
}
