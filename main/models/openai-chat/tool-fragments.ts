// Tool calls in the forms that endpoints stream: with and without an index or an id, every call with index 0, the name in each piece, the
// arguments as an object, or all of it at once. Pure.
import { isJsonObject, type JsonObject } from '#app/json.ts'
import { parseJson } from '#app/or-else.ts'

/** Characters of the longest number or literal that an endpoint sends as arguments. */
const longestWord = 32

/** Collects a JSON text that comes in pieces and tells whether it is whole. Each piece is read once. */
export function createJsonInPieces() {
  let text = ''
  let first = ''
  let depth = 0
  let inString = false
  let escaped = false
  /** Whether an object, a list or a string is whole, once its end has come. */
  let verdict: boolean | undefined

  function look(character: string): void {
    if (escaped) escaped = false
    else if (inString) {
      if (character === '\\') escaped = true
      else if (character === '"') inString = false
    } else if (character === '"') inString = true
    else if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') depth -= 1
  }

  return {
    get text() {
      return text
    },
    get whole() {
      return verdict ?? (text.length <= longestWord && parses(text))
    },
    push(piece: string): void {
      text += piece
      first ||= piece.trimStart().charAt(0)
      if (verdict === true) verdict = piece.trim() === ''
      if (verdict !== undefined) return
      for (const character of piece) look(character)
      if (depth <= 0 && !inString && '{["'.includes(first) && first !== '') verdict = parses(text)
    },
  }
}

const parses = (text: string): boolean => parseJson(text) !== undefined

export interface CallDraft {
  /** The endpoint's id; '' when it gave none. */
  readonly id: string
  readonly name: string
  readonly inputText: string
  /** Data that has to go back with the call: Gemini keeps the signature of its thinking in it. */
  readonly extra?: JsonObject
}

interface Draft extends CallDraft {
  id: string
  name: string
  input: ReturnType<typeof createJsonInPieces>
  readonly index: number | undefined
  extra?: JsonObject
}

/** Calls of one answer, and characters of a call. What exceeds them is dropped. */
const MOST_CALLS = 128
const MOST_INPUT = 4_000_000
const MOST_EXTRA = 1_000_000

export function createToolFragments() {
  const drafts: Draft[] = []

  function begin(id: string, index: number | undefined): Draft | undefined {
    if (drafts.length >= MOST_CALLS) return undefined
    const draft: Draft = {
      id,
      name: '',
      index,
      input: createJsonInPieces(),
      get inputText() {
        return this.input.text
      },
    }
    drafts.push(draft)
    return draft
  }

  function find(id: string, index: number | undefined, name: string): Draft | undefined {
    const known = id === '' ? undefined : drafts.find((draft) => draft.id === id)
    if (known) return known
    // Another id, or a name after whole arguments, begins a new call under the same index.
    const newest = drafts.at(-1)
    // Some give the end of a call another index than its beginning.
    const isEnd = id === '' && name === '' && newest?.input.whole === false
    const last = index === undefined ? newest : (drafts.findLast((draft) => draft.index === index) ?? (isEnd ? newest : undefined))
    if (!last || (id !== '' && last.id !== '') || (name !== '' && last.input.whole)) return begin(id, index)
    return last
  }

  return {
    drafts: drafts as readonly CallDraft[],
    take(fragment: unknown): void {
      if (!isJsonObject(fragment)) return
      const called = isJsonObject(fragment['function']) ? fragment['function'] : {}
      const id = typeof fragment['id'] === 'string' ? fragment['id'] : ''
      const name = typeof called['name'] === 'string' ? called['name'] : ''
      const index = typeof fragment['index'] === 'number' ? fragment['index'] : undefined
      const draft = find(id, index, name)
      if (!draft) return
      if (draft.id === '') draft.id = id
      if (name !== draft.name) draft.name = draft.inputText === '' ? draft.name + name : draft.name || name
      const extra = fragment['extra_content']
      if (isJsonObject(extra) && JSON.stringify(extra).length <= MOST_EXTRA) draft.extra = extra
      const input = called['arguments']
      if (isJsonObject(input)) {
        draft.input = createJsonInPieces()
        draft.input.push(JSON.stringify(input))
      } else if (typeof input === 'string' && draft.inputText.length < MOST_INPUT) draft.input.push(input)
    },
  }
}
