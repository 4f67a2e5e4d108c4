// Which of what went over the wire is a call of a tool that can be made again: by a line for a terminal, or from a saved file. What
// was masked or cut is no longer what was sent, and is never sent in its place.
import { MASK } from '../consent/secret-names.ts'
import { isJsonObject, type Json, type JsonObject } from '../json.ts'

export type RecordedCall =
  | { readonly kind: 'call'; readonly tool: string; readonly arguments: JsonObject }
  /** Not all of it is there. */
  | { readonly kind: 'gone'; readonly why: 'cut' | 'masked' }

interface Recorded {
  readonly direction: string
  readonly kind: string
  readonly method?: string | undefined
  /** Undefined: only its beginning is there. */
  readonly message: Json | undefined
}

/** Undefined: it is no call of ours. */
export function recordedCall({ direction, kind, method, message }: Recorded): RecordedCall | undefined {
  if (direction !== 'sent' || kind !== 'request' || method !== 'tools/call') return undefined
  const params = isJsonObject(message) ? message['params'] : undefined
  if (!isJsonObject(params) || typeof params['name'] !== 'string') return { kind: 'gone', why: 'cut' }
  const args = params['arguments'] ?? {}
  if (!isJsonObject(args)) return undefined
  if (JSON.stringify([params['name'], args]).includes(MASK)) return { kind: 'gone', why: 'masked' }
  return { kind: 'call', tool: params['name'], arguments: args }
}

/** Of a file that the inspector saved, in its order. Lines that are no calls are passed over; undefined: it is no such file. */
export function recordedCalls(text: string): RecordedCall[] | undefined {
  const calls: RecordedCall[] = []
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const one = parsedObject(line)
    if (one === undefined || typeof one['direction'] !== 'string' || typeof one['kind'] !== 'string') return undefined
    const method = typeof one['method'] === 'string' ? one['method'] : undefined
    const call = recordedCall({ direction: one['direction'], kind: one['kind'], method, message: one['message'] })
    if (call) calls.push(call)
  }
  return calls
}

function parsedObject(line: string): JsonObject | undefined {
  try {
    const value = JSON.parse(line) as Json
    return isJsonObject(value) ? value : undefined
  } catch {
    // The caller says that it is no such file.
    return undefined
  }
}
