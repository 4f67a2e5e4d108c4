// Short values that tell where they come from: e-mail addresses, addresses of the web and their hosts, identifiers, and
// short texts that are the whole of an argument. One counts where it stands in a source as a whole, not within a word.

import { withoutEnd } from '../text.ts'
import { type FoundStretch, SHARED } from './flow-grams.ts'
import type { Bare } from './flow-text.ts'

/** Units of every value that are looked for before the rest is compared. */
const HEAD = 6
const SHORTEST_WHOLE = 12
const MOST_VALUES = 10_000
const MOST_PLACES = 100

interface Place {
  readonly leaf: number
  readonly from: number
  readonly to: number
}

interface Values {
  readonly count: number
  scan(text: Bare, heads: Heads, source: number): void
  found(): FoundStretch[]
}

export function createValues(leaves: readonly { readonly text: string }[], bares: readonly Bare[]): Values {
  const places = new Map<string, Place[]>()
  let count = 0
  const add = (bare: Bare, first: number, end: number, leaf: number): void => {
    if (end - first < HEAD || end - first >= SHARED || count >= MOST_VALUES) return
    count += 1
    const key = String.fromCharCode(...bare.codes.subarray(first, end))
    const known = places.get(key)
    const place = { leaf, from: bare.from?.[first] ?? 0, to: bare.to?.[end - 1] ?? 0 }
    if (!known) places.set(key, [place])
    else if (known.length < MOST_PLACES) known.push(place)
  }
  for (const [leaf, { text }] of leaves.entries()) {
    const bare = bares[leaf]
    if (!bare) continue
    if (bare.codes.length >= SHORTEST_WHOLE && !isDate(text)) add(bare, 0, bare.codes.length, leaf)
    for (const value of tellingValues(text)) add(bare, unitAt(bare, value.at), unitAt(bare, value.at + value.text.length), leaf)
  }
  /** The lengths of the values that begin so, a bit each. */
  const lengths = new Map<number, number>()
  const seen = new Uint32Array(1 << 11)
  for (const key of places.keys()) {
    let hash = 0
    for (let n = 0; n < HEAD; n++) hash = step(hash, key.charCodeAt(n))
    lengths.set(hash, (lengths.get(hash) ?? 0) | (1 << key.length))
    seen[(hash >>> 5) & 2047] = (seen[(hash >>> 5) & 2047] ?? 0) | (1 << (hash & 31))
  }
  const sources = new Map<string, number>()
  return {
    count: places.size,
    scan({ codes, starts }, heads, source) {
      if (sources.size === places.size) return
      for (let word = 0; word < heads.hashes.length; word++) {
        const hash = heads.hashes[word] ?? 0
        if (((seen[(hash >>> 5) & 2047] ?? 0) & (1 << (hash & 31))) === 0) continue
        const at = heads.at[word] ?? 0
        const known = lengths.get(hash) ?? 0
        for (let length = HEAD; length < SHARED; length++) {
          if ((known & (1 << length)) === 0 || at + length > codes.length) continue
          if (at + length < codes.length && starts[at + length] === 0) continue
          const key = String.fromCharCode(...codes.subarray(at, at + length))
          if (places.has(key) && !sources.has(key)) sources.set(key, source)
        }
      }
    },
    found: () => [...sources].flatMap(([key, source]) => (places.get(key) ?? []).map((place) => ({ ...place, source }))),
  }
}

/** The first unit that stands at this place of the text, or behind it. */
function unitAt({ from = new Uint32Array() }: Bare, place: number): number {
  let low = 0
  let high = from.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((from[middle] ?? 0) < place) low = middle + 1
    else high = middle
  }
  return low
}

/** Of each word that is long enough: its first units, and where it begins. */
export interface Heads {
  readonly hashes: Int32Array
  readonly at: Uint32Array
}

export function headsOf({ codes, starts }: Bare): Heads {
  const at = new Uint32Array(starts.reduce((sum, start) => sum + start, 0))
  const hashes = new Int32Array(at.length)
  let count = 0
  for (let place = 0; place + HEAD <= codes.length; place++) {
    if (starts[place] === 0) continue
    let hash = 0
    for (let n = 0; n < HEAD; n++) hash = step(hash, codes[place + n] ?? 0)
    at[count] = place
    hashes[count] = hash
    count += 1
  }
  return { hashes: hashes.subarray(0, count), at: at.subarray(0, count) }
}

const step = (hash: number, code: number): number => (Math.imul(hash, 0x01000193) + code) | 0

interface Telling {
  readonly text: string
  readonly at: number
}

/** In the order of the text. */
export function tellingValues(text: string): Telling[] {
  const values: Telling[] = []
  for (const match of text.matchAll(/[^\s"'`<>()[\]{},;|]{6,}/g)) {
    const word = withoutEnd(match[0], '.:!?*_')
    const host = /^[a-z][a-z\d+.-]*:\/\/(?:[^/?#@]*@)?([^/?#:]+)/i.exec(word)
    if (host?.[1] !== undefined) values.push({ text: host[1], at: match.index + host[0].length - host[1].length })
    if (host || isTelling(word)) values.push({ text: word, at: match.index })
  }
  return values
}

const years = /(?<!\d)(?:19|20)\d\d(?:[-/.]\d{1,2}){0,2}(?:[T ][\d:.]+Z?)?(?!\d)/g

const isDate = (text: string): boolean => text.length < 40 && !/[\p{L}\p{N}]/u.test(text.replace(years, ' '))

/** An address, or letters and digits such as nobody writes by chance. A date tells nothing. */
function isTelling(word: string): boolean {
  if (/^[^@]+@[^@]+\.[^@.]+$/.test(word)) return true
  const rest = word
    .slice(0, 200)
    .replace(years, ' ')
    .replace(/[^\p{L}\p{N}]/gu, '')
  const digits = rest.replace(/\D/g, '').length
  const turns = rest.match(/\d\D|\D\d/g)?.length ?? 0
  return rest.length >= HEAD && (digits >= 4 || (rest.length >= 8 && digits >= 2 && turns >= 2))
}
