// Which of a call's arguments servers said before. Pure, and bounded: one pass over each source and one over the
// arguments, whatever is in them. Found is
// - every stretch of 24 letters and digits or more (`SHARED`), also where the model cut it into several arguments;
// - every telling value (an e-mail address, an identifier, an address of the web) and every short text that is the whole of
//   an argument, where it stands in a source as a whole.
// What was translated, summed up or encoded otherwise is not found: a mark is a help to the person, no proof of its absence.
import { isJsonObject, type Json, type JsonObject } from '../json.ts'
import type { FlowMark, FlowOrigin, Flows } from './flow.ts'
import { blocksOf, createGrams } from './flow-grams.ts'
import { type Bare, bareText, isWrapped } from './flow-text.ts'
import { createValues, type Heads, headsOf } from './flow-values.ts'
import { pointerTo } from './match.ts'

/** Text of a server, made ready once (`readSource`). */
export interface FlowSource {
  readonly origin: FlowOrigin
  readonly texts: readonly Said[]
}

interface Said {
  readonly bare: Bare
  readonly blocks: Int32Array
  readonly heads: Heads
}

/** Letters and digits, of all sources together. */
export const MOST_SAID = 12_000_000
const MOST_ARGUMENTS = 1_000_000
const MOST_SPANS = 1000
const MOST_LEAVES = 20_000

export function readSource(origin: FlowOrigin, texts: readonly string[]): FlowSource {
  return {
    origin,
    texts: texts.flatMap((text) => [said(text, false), ...(isWrapped(text) ? [said(text, true)] : [])]),
  }
}

function said(text: string, unwrap: boolean): Said {
  const bare = bareText(text, { unwrap, places: false })
  return { bare, blocks: blocksOf(bare), heads: headsOf(bare) }
}

export const sizeOf = (source: FlowSource): number => source.texts.reduce((sum, { bare }) => sum + bare.codes.length, 0)

interface Leaf {
  readonly argument: string
  readonly inName: boolean
  readonly text: string
}

/** `sources`: the first that holds a text is named as its origin. `unseen`: there was more than these. */
export function findFlows(args: JsonObject, sources: readonly FlowSource[], unseen = false): Flows | undefined {
  const leaves: Leaf[] = []
  collect(args, [], leaves)
  const size = leaves.reduce((sum, { text }) => sum + text.length, 0)
  const tooMuch = size > MOST_ARGUMENTS || leaves.length > MOST_LEAVES
  if (sources.length === 0 && !unseen) return undefined
  const found: Found[] = tooMuch ? [] : search(leaves, sources)
  if (found.length === 0) return unseen || (tooMuch && sources.length > 0) ? { origins: [], marks: [], unseen: true } : undefined
  return { ...toFlows(leaves, sources, found), ...(unseen ? { unseen: true } : {}) }
}

/** A stretch of a leaf, and which source it is from. */
interface Found {
  readonly leaf: number
  readonly from: number
  readonly to: number
  readonly source: number
}

function search(leaves: readonly Leaf[], sources: readonly FlowSource[]): Found[] {
  const found: Found[] = []
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

function toFlows(leaves: readonly Leaf[], sources: readonly FlowSource[], found: readonly Found[]): Flows {
  const used = [...new Set(found.map(({ source }) => source))].sort((a, b) => a - b)
  const byPlace = Map.groupBy(found, ({ leaf, source }) => `${leaf} ${source}`)
  let room = MOST_SPANS
  const marks: FlowMark[] = []
  for (const group of [...byPlace.values()].sort(byLeaf)) {
    const [first] = group
    const leaf = first && leaves[first.leaf]
    if (!first || !leaf) continue
    // Each mark keeps a span at least, however many there are.
    const spans = merged(group, leaf.text).slice(0, Math.max(1, room))
    room -= spans.length
    marks.push({ argument: leaf.argument, ...(leaf.inName ? { inName: true } : {}), origin: used.indexOf(first.source), spans })
  }
  return { origins: used.flatMap((index) => sources[index]?.origin ?? []), marks }
}

const byLeaf = ([a]: readonly Found[], [b]: readonly Found[]): number =>
  (a?.leaf ?? 0) - (b?.leaf ?? 0) || (a?.source ?? 0) - (b?.source ?? 0)

/** Stretches with nothing but blanks and signs between them are one. */
function merged(group: readonly Found[], text: string): [number, number][] {
  const spans: [number, number][] = []
  for (const { from, to } of [...group].sort((a, b) => a.from - b.from)) {
    const last = spans.at(-1)
    if (last && (from <= last[1] || (from - last[1] < 4 && !/[\p{L}\p{N}]/u.test(text.slice(last[1], from)))))
      last[1] = Math.max(last[1], to)
    else spans.push([from, to])
  }
  return spans
}

/** Every text in the arguments, in the order in which it is sent: names too, and numbers as they are written. */
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
