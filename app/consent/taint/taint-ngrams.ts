// N-grams that arguments share with a source, by a rolling hash (Rabin-Karp). The n-grams of the arguments are in a table; those of
// a source are looked up and compared, never by hash alone. A source is hashed in blocks of half an n-gram once; only the
// surroundings of a shared block are examined.
import { orElse } from '#app/or-else.ts'

/** A text reduced to folded letters and digits, so that line breaks, quotes, markup, case, accents and invisible characters do not matter. */
export interface Bare {
  readonly codes: Uint16Array
  /** 1 where a word begins. */
  readonly starts: Uint8Array
  /** Range in the text; absent when not requested. */
  readonly from?: Uint32Array
  readonly to?: Uint32Array
}

const escaped = /\\+(?:u([0-9a-fA-F]{4})|[nrtbf])/y
const percent = /(?:%[0-9a-fA-F]{2})+/y
export const isWrapped = (text: string): boolean => /\\(?:u[0-9a-fA-F]{4}|[nrtbf])|%[0-9a-fA-F]{2}/.test(text)

const APART = 0
/** Combining accents and invisible characters: ignored. */
const SKIPPED = 0xffff

/** First code of dense scripts (Chinese, Japanese, Korean), whose characters count as two. */
const DENSE = 0x2e80

/** Reduces a text. `unwrap`: JSON escapes (at any depth) and percent-encoding are decoded. `places`: ranges are kept. */
export function bareText(text: string, options: { readonly unwrap: boolean; readonly places: boolean }): Bare {
  const folds = foldTable()
  const room = text.length * 2
  const codes = new Uint16Array(room)
  const starts = new Uint8Array(room)
  const from = options.places ? new Uint32Array(room) : undefined
  const to = options.places ? new Uint32Array(room) : undefined
  let length = 0
  let start = 1
  const put = (unit: number, at: number, end: number): void => {
    const code = folds[unit] ?? APART
    if (code === SKIPPED) return
    if (code === APART) {
      start = 1
      return
    }
    for (let times = unit >= DENSE ? 2 : 1; times > 0 && length < room; times--) {
      codes[length] = code
      starts[length] = start
      if (from && to) {
        from[length] = at
        to[length] = end
      }
      start = unit >= DENSE ? 1 : 0
      length += 1
    }
  }
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    const wrapped = options.unwrap && (unit === 0x5c || unit === 0x25) ? readWrapped(text, at) : undefined
    if (wrapped) {
      start = wrapped.text === '' ? 1 : start
      for (let n = 0; n < wrapped.text.length; n++) put(wrapped.text.charCodeAt(n), at, wrapped.end)
      at = wrapped.end - 1
    } else put(unit, at, at + 1)
  }
  return {
    codes: codes.slice(0, length),
    starts: starts.slice(0, length),
    ...(from && to ? { from: from.slice(0, length), to: to.slice(0, length) } : {}),
  }
}

/** Decodes an escape at `at`; empty: a line break or the like. */
function readWrapped(whole: string, at: number): { readonly text: string; readonly end: number } | undefined {
  const pattern = whole.charCodeAt(at) === 0x25 ? percent : escaped
  pattern.lastIndex = at
  const match = pattern.exec(whole)
  if (!match) return undefined
  const end = at + match[0].length
  if (pattern === escaped) return { text: match[1] === undefined ? '' : String.fromCharCode(Number.parseInt(match[1], 16)), end }
  const text = orElse(() => decodeURIComponent(match[0]), undefined)
  return text === undefined ? undefined : { text, end } // Invalid UTF-8 stands for itself.
}

let made: Uint16Array | undefined

function foldTable(): Uint16Array {
  if (made) return made
  const table = new Uint16Array(0x10000)
  for (let unit = 0; unit < 0x10000; unit++) table[unit] = fold(unit)
  made = table
  return table
}

function fold(unit: number): number {
  const character = String.fromCharCode(unit)
  if (/\p{M}|\p{Cf}|\p{Default_Ignorable_Code_Point}/u.test(character)) return SKIPPED
  if (!/[\p{L}\p{N}]/u.test(character)) return APART
  // NFKD would reduce Korean syllables to their first letter.
  const plain = unit >= 0xac00 && unit <= 0xd7a3 ? character : (character.normalize('NFKD')[0] ?? character)
  return plain.toLowerCase().charCodeAt(0)
}

/** Length of an n-gram in letters and digits; shorter ones occur by chance. */
export const SHARED = 24
const FACTOR = 0x01000193
const BLOCK = SHARED / 2

export interface FoundStretch {
  readonly leaf: number
  readonly from: number
  readonly to: number
  readonly source: number
}

/** Creates the table. `leaves`: texts of the arguments, taken as one, so that splitting a text hides nothing. */
export function createGrams(leaves: readonly Bare[]) {
  const size = leaves.reduce((sum, { codes }) => sum + codes.length, 0)
  const codes = new Uint16Array(size)
  const ends: number[] = []
  for (const leaf of leaves) {
    codes.set(leaf.codes, ends.at(-1) ?? 0)
    ends.push((ends.at(-1) ?? 0) + leaf.codes.length)
  }
  const count = Math.max(0, size - SHARED + 1)
  const bits = Math.max(10, Math.ceil(Math.log2(count + 1)) + 2)
  const slots = new Int32Array(1 << bits).fill(-1)
  const known = new Uint32Array(1 << (bits - 2))
  /** First position with the same n-gram, by position. */
  const first = new Int32Array(count)
  const origins = new Uint32Array(count)
  let open = 0

  const isSame = (other: Uint16Array, at: number, position: number): boolean => {
    for (let n = 0; n < SHARED; n++) if (other[at + n] !== codes[position + n]) return false
    return true
  }
  const slotOf = (hash: number, other: Uint16Array, at: number): number => {
    let slot = mixed(hash, bits)
    for (;;) {
      const position = slots[slot] ?? -1
      if (position < 0 || isSame(other, at, position)) return slot
      slot = (slot + 1) & ((1 << bits) - 1)
    }
  }
  roll(codes, SHARED, 0, size, (hash, at) => {
    const slot = slotOf(hash, codes, at)
    if ((slots[slot] ?? -1) < 0) {
      slots[slot] = at
      open += 1
    }
    first[at] = slots[slot] ?? at
  })
  if (count > 0)
    roll(codes, BLOCK, 0, size, (hash) => {
      const bit = mixed(hash, bits + 3)
      known[bit >>> 5] = (known[bit >>> 5] ?? 0) | (1 << (bit & 31))
    })

  return {
    count,
    /** Scans a source; matches of earlier sources stay theirs. */
    scan({ codes: other }: Bare, blocks: Int32Array, source: number): void {
      if (open === 0) return
      const note = (hash: number, at: number): void => {
        const position = slots[slotOf(hash, other, at)] ?? -1
        if (position < 0 || origins[position] !== 0) return
        origins[position] = source + 1
        open -= 1
      }
      for (let block = 0; block < blocks.length && open > 0; block++) {
        const bit = mixed(blocks[block] ?? 0, bits + 3)
        if (((known[bit >>> 5] ?? 0) & (1 << (bit & 31))) === 0) continue
        const at = block * BLOCK
        roll(other, SHARED, Math.max(0, at - BLOCK), Math.min(other.length, at + SHARED), note)
      }
    },
    found(): FoundStretch[] {
      const stretches: FoundStretch[] = []
      let leaf = 0
      let done = 0
      // A unit belongs to the last n-gram that covers it.
      let source = 0
      let until = 0
      for (let at = 0; at < size; at++) {
        while (at >= (ends[leaf] ?? size)) {
          done = ends[leaf] ?? 0
          leaf += 1
        }
        const origin = at < count ? (origins[first[at] ?? at] ?? 0) : 0
        if (origin !== 0) {
          source = origin
          until = at + SHARED
        }
        if (at >= until) continue
        const from = leaves[leaf]?.from?.[at - done] ?? 0
        const to = leaves[leaf]?.to?.[at - done] ?? 0
        const last = stretches.at(-1)
        if (last?.leaf === leaf && last.source === source - 1 && at > 0 && contiguous(last.to, from, leaves[leaf], at - done))
          stretches[stretches.length - 1] = { ...last, to }
        else stretches.push({ leaf, from, to, source: source - 1 })
      }
      return stretches
    },
  }
}

/** Whether the previous unit ended the stretch. */
const contiguous = (end: number, from: number, leaf: Bare | undefined, at: number): boolean =>
  from <= end || (at > 0 && (leaf?.to?.[at - 1] ?? -1) === end)

/** Hashes of the whole blocks of a text, in order. */
export function blocksOf({ codes }: Bare): Int32Array {
  const blocks = new Int32Array(Math.floor(codes.length / BLOCK))
  for (let block = 0; block < blocks.length; block++) {
    let hash = 0
    for (let at = block * BLOCK; at < (block + 1) * BLOCK; at++) hash = (Math.imul(hash, FACTOR) + (codes[at] ?? 0)) | 0
    blocks[block] = hash
  }
  return blocks
}

/** Calls `each` for every run of `length` units from `start` to `end`. */
function roll(codes: Uint16Array, length: number, start: number, end: number, each: (hash: number, at: number) => void): void {
  const leaving = length === SHARED ? LEAVING : LEAVING_BLOCK
  let hash = 0
  for (let at = start; at < end; at++) {
    if (at - start >= length) hash = (hash - Math.imul(codes[at - length] ?? 0, leaving)) | 0
    hash = (Math.imul(hash, FACTOR) + (codes[at] ?? 0)) | 0
    if (at - start >= length - 1) each(hash, at - length + 1)
  }
}

const LEAVING = power(FACTOR, SHARED - 1)
const LEAVING_BLOCK = power(FACTOR, BLOCK - 1)

const mixed = (hash: number, bits: number): number => Math.imul(hash ^ (hash >>> 15), 0x9e3779b1) >>> (32 - bits)

function power(base: number, exponent: number): number {
  let result = 1
  for (let n = 0; n < exponent; n++) result = Math.imul(result, base)
  return result
}
