// Size and SHA-256 of a result for the audit log, both of its JSON text. The text is made piece by piece and other work runs
// between, for 10 MB would block the event loop too long.
import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { isJsonObject, type Json } from '#app/json.ts'
import { keptTexts } from '#main/base/json-size.ts'

export interface Digest {
  /** Size of the JSON text in UTF-8. */
  readonly bytes: number
  /** Hash of the JSON text, in hexadecimal. */
  readonly sha256: string
}

/** The loop is held no longer than this at once, in milliseconds, and for one more piece. */
const turnMs = 5

export async function digestOf(value: Json): Promise<Digest> {
  const hash = createHash('sha256')
  let bytes = 0
  let since = performance.now()
  for (const piece of jsonPieces(value)) {
    bytes += Buffer.byteLength(piece)
    hash.update(piece)
    if (performance.now() - since < turnMs) continue
    await setImmediate()
    since = performance.now()
  }
  return { bytes, sha256: hash.digest('hex') }
}

/** Characters of a text, and items of a list, that make one piece. */
const pieceSize = 64 * 1024
const pieceItems = 256
const pieceBytes = 1024 * 1024

/** Yields the text of `JSON.stringify` in order. Only large values are taken apart, for that is slow; kept texts go as they are. */
export function* jsonPieces(value: Json): Generator<string | Buffer> {
  if (typeof value === 'string' && value.length > pieceSize) yield* textPieces(value)
  else if (Array.isArray(value)) yield* listPieces(value)
  else if (isJsonObject(value)) {
    const texts = keptTexts(value)
    let before = '{'
    for (const key of Object.keys(value)) {
      const text = texts?.get(key)
      yield `${before}${JSON.stringify(key)}:`
      if (text) yield* bytePieces(text)
      else yield* jsonPieces(value[key] as Json)
      before = ','
    }
    yield before === '{' ? '{}' : '}'
  } else yield JSON.stringify(value)
}

function* bytePieces(text: Buffer): Generator<Buffer> {
  for (let from = 0; from < text.length; from += pieceBytes) yield text.subarray(from, from + pieceBytes)
}

function* listPieces(list: readonly Json[]): Generator<string | Buffer> {
  yield '['
  let before = ''
  if (list.length <= pieceItems) {
    for (const item of list) {
      yield before
      yield* jsonPieces(item)
      before = ','
    }
  } else {
    for (let n = 0; n < list.length; n += pieceItems) {
      yield before + JSON.stringify(list.slice(n, n + pieceItems)).slice(1, -1)
      before = ','
    }
  }
  yield ']'
}

function* textPieces(text: string): Generator<string> {
  yield '"'
  for (let from = 0; from < text.length; ) {
    let to = Math.min(from + pieceSize, text.length)
    // Half of a character would be written as an escape.
    if (isPair(text.charCodeAt(to - 1), text.charCodeAt(to))) to += 1
    yield JSON.stringify(text.slice(from, to)).slice(1, -1)
    from = to
  }
  yield '"'
}

const isPair = (first: number, second: number): boolean => (first & 0xfc00) === 0xd800 && (second & 0xfc00) === 0xdc00
