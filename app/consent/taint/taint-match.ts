// Finds text in a call's arguments that a server gave before, in one pass over each source and the arguments. It finds runs of 24
// letters and digits (`SHARED`) or more, even when split over arguments, and telling values (e-mail addresses, identifiers, URLs,
// short texts that are a whole argument) that stand in a source as a whole. Translated, summarised or otherwise encoded text is not
// found: a missing mark proves nothing.
import { isJsonObject, type Json, type JsonObject, pointerTo } from '#app/json.ts'
import { withoutEnd } from '#app/text/format-text.ts'
import type { TaintMark, TaintOrigin, Taints } from './taint.ts'
import { type Bare, bareText, blocksOf, createGrams, type FoundStretch, isWrapped, SHARED } from './taint-ngrams.ts'

/** Units of a value that are hashed before the rest is compared. */
const HEAD = 6
const SHORTEST_WHOLE = 12
const MOST_VALUES = 10_000
const MOST_PLACES = 100

function createValues(leaves: readonly { readonly text: string }[], bares: readonly Bare[]) {
  const places = new Map<string, Omit<FoundStretch, 'source'>[]>()
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
  /** Lengths of the values with each head, a bit each. */
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
    scan({ codes, starts }: Bare, heads: Heads, source: number): void {
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

/** Index of the first unit at or after a place of the text. */
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

/** Hash of the first units of each long word, and where it begins. */
interface Heads {
  readonly hashes: Int32Array
  readonly at: Uint32Array
}

function headsOf({ codes, starts }: Bare): Heads {
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

function tellingValues(text: string): Telling[] {
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

/** Whether a word is an address or a random-looking identifier. A date tells nothing. */
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

/** Text of a server, prepared once (`readTaintSource`). */
export interface TaintSource {
  readonly origin: TaintOrigin
  readonly texts: readonly Said[]
}

interface Said {
  readonly bare: Bare
  readonly blocks: Int32Array
  readonly heads: Heads
}

/** Most letters and digits of all sources together. */
export const MOST_TAINT_TEXT = 12_000_000
const MOST_ARGUMENTS = 1_000_000
const MOST_SPANS = 1000
const MOST_LEAVES = 20_000

export function readTaintSource(origin: TaintOrigin, texts: readonly string[]): TaintSource {
  return {
    origin,
    texts: texts.flatMap((text) => [said(text, false), ...(isWrapped(text) ? [said(text, true)] : [])]),
  }
}

function said(text: string, unwrap: boolean): Said {
  const bare = bareText(text, { unwrap, places: false })
  return { bare, blocks: blocksOf(bare), heads: headsOf(bare) }
}

export const sizeOf = (source: TaintSource): number => source.texts.reduce((sum, { bare }) => sum + bare.codes.length, 0)

interface Leaf {
  readonly argument: string
  readonly inName: boolean
  readonly text: string
}

/** Finds taints. `sources`: the first that holds a text is its origin. `unseen`: there were more sources. */
export function findTaints(args: JsonObject, sources: readonly TaintSource[], unseen = false): Taints | undefined {
  const leaves: Leaf[] = []
  collect(args, [], leaves)
  const size = leaves.reduce((sum, { text }) => sum + text.length, 0)
  const tooMuch = size > MOST_ARGUMENTS || leaves.length > MOST_LEAVES
  if (sources.length === 0 && !unseen) return undefined
  const found: FoundStretch[] = tooMuch ? [] : search(leaves, sources)
  if (found.length === 0) return unseen || (tooMuch && sources.length > 0) ? { origins: [], marks: [], unseen: true } : undefined
  return { ...toFlows(leaves, sources, found), ...(unseen ? { unseen: true } : {}) }
}

function search(leaves: readonly Leaf[], sources: readonly TaintSource[]): FoundStretch[] {
  const found: FoundStretch[] = []
  for (const unwrap of leaves.some(({ text }) => isWrapped(text)) ? [false, true] : [false]) {
    const bares = leaves.map(({ text }) => bareText(text, { unwrap, places: true }))
    const grams = createGrams(bares)
    const values = createValues(leaves, bares)
    if (grams.count === 0 && values.count === 0) continue
    for (const [index, { texts }] of sources.entries())
      for (const text of texts) {
        grams.scan(text.bare, text.blocks, index)
        values.scan(text.bare, text.heads, index)
      }
    found.push(...grams.found(), ...values.found())
  }
  return found
}

function toFlows(leaves: readonly Leaf[], sources: readonly TaintSource[], found: readonly FoundStretch[]): Taints {
  const used = [...new Set(found.map(({ source }) => source))].sort((a, b) => a - b)
  const byPlace = Map.groupBy(found, ({ leaf, source }) => `${leaf} ${source}`)
  let room = MOST_SPANS
  const marks: TaintMark[] = []
  for (const group of [...byPlace.values()].sort(byLeaf)) {
    const [first] = group
    const leaf = first && leaves[first.leaf]
    if (!first || !leaf) continue
    // Each mark keeps at least one span.
    const spans = merged(group, leaf.text).slice(0, Math.max(1, room))
    room -= spans.length
    marks.push({ argument: leaf.argument, ...(leaf.inName ? { inName: true } : {}), origin: used.indexOf(first.source), spans })
  }
  return { origins: used.flatMap((index) => sources[index]?.origin ?? []), marks }
}

const byLeaf = ([a]: readonly FoundStretch[], [b]: readonly FoundStretch[]): number =>
  (a?.leaf ?? 0) - (b?.leaf ?? 0) || (a?.source ?? 0) - (b?.source ?? 0)

/** Merges spans that only blanks and signs separate. */
function merged(group: readonly FoundStretch[], text: string): [number, number][] {
  const spans: [number, number][] = []
  for (const { from, to } of [...group].sort((a, b) => a.from - b.from)) {
    const last = spans.at(-1)
    if (last && (from <= last[1] || (from - last[1] < 4 && !/[\p{L}\p{N}]/u.test(text.slice(last[1], from)))))
      last[1] = Math.max(last[1], to)
    else spans.push([from, to])
  }
  return spans
}

/** Lists all texts in the arguments in their order: names too, and numbers as written. */
function collect(value: Json, path: readonly string[], leaves: Leaf[]): void {
  const argument = pointerTo(...path)
  if (typeof value === 'string' || typeof value === 'number') leaves.push({ argument, inName: false, text: String(value) })
  else if (Array.isArray(value)) for (const [index, item] of value.entries()) collect(item as Json, [...path, String(index)], leaves)
  else if (isJsonObject(value))
    for (const [name, item] of Object.entries(value)) {
      leaves.push({ argument: pointerTo(...path, name), inName: true, text: name })
      collect(item, [...path, name], leaves)
    }
}
