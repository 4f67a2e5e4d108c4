// Bodies of errors in the forms that endpoints use: `error` as an object, a sentence or in an array (Gemini), a body without `error`
// (Mistral, Cohere), `detail` (NVIDIA; a list with FastAPI), a `message` that is an object (Mistral's 422), `param` as a sentence (Xiaomi),
// and the vendor's body that a router quotes (`metadata.raw` of OpenRouter). Pure.
import { isJsonObject, type JsonObject } from '#app/json.ts'
import { defined } from '#main/base/defined.ts'

export interface ErrorBody {
  /** Codes, types and reasons. */
  readonly words: readonly string[]
  /** Status in the body itself: an error within a stream has no other. */
  readonly status?: number
  /** The vendor's own message; '' when there is none. */
  readonly message: string
}

const DEEPEST = 4

export function readErrorBody(body: unknown, depth = 0): ErrorBody {
  if (depth > DEEPEST) return nothing
  if (typeof body === 'string') return fromText(body, depth)
  if (Array.isArray(body)) return fromList(body, depth)
  if (!isJsonObject(body)) return nothing
  const within = [body['error'], partOf(body['metadata'], 'raw')].map((one) => readErrorBody(one, depth + 1))
  const details = Array.isArray(body['details']) ? body['details'] : []
  const words = [body['code'], body['type'], body['status'], body['error_type'], ...details.map((one) => partOf(one, 'reason'))]
  const status = [body['code'], body['status'], body['status_code']]
    .map(Number)
    .find((one) => Number.isInteger(one) && one >= 400 && one < 600)
  const said = [body['message'], body['detail'], body['msg'], body['title']].map((one) => readErrorBody(one, depth + 1).message)
  const inner = within.toReversed().find(({ message }) => message !== '')
  const known = [status, ...within.map((one) => one.status)].find((one) => one !== undefined)
  return {
    words: [...words.filter((word) => typeof word === 'string'), ...within.flatMap((one) => one.words)],
    ...defined({ status: known }),
    message: inner?.message ?? [said.find((one) => one !== ''), sentenceIn(body['param'])].filter(Boolean).join(': '),
  }
}

/** Returns `param` where it is a sentence; most vendors name a field of the request there. */
const sentenceIn = (param: unknown): string => (typeof param === 'string' && param.trim().includes(' ') ? param.trim() : '')

const nothing: ErrorBody = { words: [], message: '' }
const partOf = (value: unknown, name: string): unknown => (isJsonObject(value) ? value[name] : undefined)

function fromText(text: string, depth: number): ErrorBody {
  const json = text.replace(/^\s*data: ?/, '') // Xiaomi sends errors of a stream as an event.
  if (/^\s*[{[]/.test(json)) {
    try {
      const read = readErrorBody(JSON.parse(json), depth + 1)
      if (read.message !== '') return read
    } catch {
      // A sentence that only begins like JSON.
    }
  }
  return { words: [], message: text.trim() }
}

/** Reads FastAPI's list of faults and their places; of any other list the first item. */
function fromList(list: readonly unknown[], depth: number): ErrorBody {
  const faults = list.filter((one): one is JsonObject => isJsonObject(one) && typeof one['msg'] === 'string')
  if (faults.length === 0) return readErrorBody(list[0], depth + 1)
  const place = (loc: unknown): string => (Array.isArray(loc) && loc.length > 0 ? `${loc.join('.')}: ` : '')
  return {
    words: faults.flatMap(({ type }) => (typeof type === 'string' ? [type] : [])),
    message: faults.map(({ loc, msg }) => `${place(loc)}${String(msg)}`).join('; '),
  }
}
