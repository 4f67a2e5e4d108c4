// OpenRouter's `reasoning_details`: what a model thought, in pieces that it wants back as they were (signed, summarised or
// encrypted), or the provider behind it refuses the next step of a tool loop. Pieces of one text come one by one and are put
// together again; all else stays as it came, in its order. Pure: pieces in, details out.
import { isJsonObject, type JsonObject } from '#app/json.ts'

export interface ReasoningDetails {
  /** What of it can be read. */
  take(pieces: unknown): string
  readonly all: readonly JsonObject[]
}

/** More than any model thinks in one answer; with less than all of it, none is of use. */
const MOST = 10_000
const MOST_LENGTH = 4_000_000

const textFields: Readonly<Record<string, string>> = { 'reasoning.text': 'text', 'reasoning.summary': 'summary' }
const words = (piece: JsonObject, field: string | undefined): string => {
  const value = field === undefined ? undefined : piece[field]
  return typeof value === 'string' ? value : ''
}

export function createReasoningDetails(): ReasoningDetails {
  let all: JsonObject[] = []
  let length = 0
  let tooMany = false

  function add(piece: JsonObject): void {
    const field = textFields[String(piece['type'])]
    const last = all.at(-1)
    if (field !== undefined && last && last['type'] === piece['type'] && last['index'] === piece['index'])
      all[all.length - 1] = { ...last, ...withoutNull(piece), [field]: words(last, field) + words(piece, field) }
    else all.push(piece)
  }

  return {
    get all() {
      return all
    },
    take(pieces) {
      let readable = ''
      for (const piece of Array.isArray(pieces) ? pieces.filter(isJsonObject) : []) {
        readable += words(piece, textFields[String(piece['type'])])
        length += JSON.stringify(piece).length
        tooMany ||= length > MOST_LENGTH || all.length >= MOST
        if (tooMany) all = []
        else add(piece)
      }
      return readable
    },
  }
}

/** A field that a later piece leaves empty does not undo what an earlier one said. */
const withoutNull = (piece: JsonObject): JsonObject => Object.fromEntries(Object.entries(piece).filter(([, value]) => value !== null))
