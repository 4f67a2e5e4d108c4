// Scans JSON text without making values: whether it is JSON (RFC 8259), how deep it is, and where one member stands. It works in steps, and
// is fast because it goes straight from each token to the most likely next one, with numbers in local variables.

interface JsonWalkOptions {
  readonly path: readonly string[]
  /** Lists and objects within one another; what goes deeper is as good as no JSON. */
  readonly deepest: number
  /** Members of one object outside of the value that is looked for; default: any number. */
  readonly mostMembers?: number
}

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

export function createJsonWalk(bytes: Buffer, { path, deepest, mostMembers = Number.POSITIVE_INFINITY }: JsonWalkOptions) {
  const { length } = bytes
  const isObject = new Uint8Array(deepest + 1)
  const members = createMemberCount(deepest, mostMembers)
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
        now = to === -1 || members.add(depth, start !== -1 && end === -1) ? broken : value
        at = afterSpace(bytes, to)
        if (bytes[at] !== colon) now = broken
        at = afterSpace(bytes, at + 1)
        byte = bytes[at] as number
      }
      if (byte === closeBrace || byte === closeBracket) {
        const kind = byte === closeBrace ? 1 : 0
        const mayClose = now === afterValue || now === (kind === 1 ? nameOrEnd : valueOrEnd)
        if (mayClose && depth > 0 && isObject[depth] === kind) {
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
          now = depth === deepest ? broken : byte === openBrace ? nameOrEnd : valueOrEnd
          depth += 1
          isObject[depth] = byte === openBrace ? 1 : 0
          members.open(depth)
          at += 1
        } else {
          const to =
            byte === quote ? endOfString(bytes, at) : digits[byte] === 1 || byte === minus ? endOfNumber(bytes, at) : endOfWord(bytes, at)
          now = to === -1 ? broken : afterValue
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
      walk(Math.min(length, reached.position + most))
      return reached.state === broken || reached.position >= length
    },
    /** Finds the place of the value at the path. Undefined: there is none, or the text is not JSON, or too deep, or names twice what leads there. */
    found: () =>
      !isTwice && reached.state === afterValue && reached.depth === 0 && reached.position === length && end !== -1
        ? { start, end }
        : undefined,
    hasTooMany: members.hasTooMany,
  }
}

function createMemberCount(deepest: number, most: number) {
  const counts = new Uint32Array(deepest + 1)
  let hasMany = false
  let hasManyWithin = false
  return {
    open(depth: number): void {
      counts[depth] = 0
    },
    /** Counts a member. `isWithin`: of the value that is looked for. Returns whether it is one too many elsewhere. */
    add(depth: number, isWithin: boolean): boolean {
      const count = (counts[depth] ?? 0) + 1
      counts[depth] = count
      if (count > most && isWithin) hasManyWithin = true
      else if (count > most) hasMany = true
      return hasMany
    },
    /** Whether an object that would be parsed has more members than it may. `keeps`: the value is not parsed. Behind what is too deep nothing is counted. */
    hasTooMany: (keeps: boolean): boolean => hasMany || (hasManyWithin && !keeps),
  }
}

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
