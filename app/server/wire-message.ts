// Messages between host and server as the message inspector keeps them: masked, and cut when long. A recorded tool call can be
// repeated unless a part of it was masked or cut.
import { z } from 'zod'
import { isJsonObject, type Json, type JsonObject } from '../json.ts'
import { parseJson } from '../or-else.ts'
import { MASK } from '../text/secret-names.ts'

export type RecordedCall =
  | { readonly kind: 'call'; readonly tool: string; readonly arguments: JsonObject }
  | { readonly kind: 'gone'; readonly why: 'cut' | 'masked' }

interface Recorded {
  readonly direction: string
  readonly kind: string
  readonly method?: string | undefined
  readonly message: Json | undefined
}

/** Reads a recorded tool call; undefined for other messages. */
export function recordedCall({ direction, kind, method, message }: Recorded): RecordedCall | undefined {
  if (direction !== 'sent' || kind !== 'request' || method !== 'tools/call') return undefined
  const params = isJsonObject(message) ? message['params'] : undefined
  if (!isJsonObject(params) || typeof params['name'] !== 'string') return { kind: 'gone', why: 'cut' }
  const args = params['arguments'] ?? {}
  if (!isJsonObject(args)) return undefined
  if (JSON.stringify([params['name'], args]).includes(MASK)) return { kind: 'gone', why: 'masked' }
  return { kind: 'call', tool: params['name'], arguments: args }
}

/** Reads the tool calls of a saved inspector file, in order; undefined for another file. */
export function recordedCalls(text: string): RecordedCall[] | undefined {
  const calls: RecordedCall[] = []
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const one = parseJson(line)
    if (!isJsonObject(one) || typeof one['direction'] !== 'string' || typeof one['kind'] !== 'string') return undefined
    const method = typeof one['method'] === 'string' ? one['method'] : undefined
    const call = recordedCall({ direction: one['direction'], kind: one['kind'], method, message: one['message'] })
    if (call) calls.push(call)
  }
  return calls
}

const wireDirection = z.enum(['sent', 'received'])
const wireKind = z.enum(['request', 'notification', 'result', 'error', 'http', 'other'])

export const wireMessage = z.object({
  /** Number from 1, over all recorded messages of the server. */
  seq: z.number().int(),
  time: z.number(),
  direction: wireDirection,
  /** `http`: status line and headers without a message. `other`: not a protocol message. */
  kind: wireKind,
  /** Method; of a response that of its request. */
  method: z.string().optional(),
  id: z.union([z.string(), z.number()]).optional(),
  /** Number of the request that it answers, reports progress of or cancels. */
  of: z.number().int().optional(),
  ms: z.number().optional(),
  size: z.number().int(),
  text: z.string(),
  cut: z.boolean(),
  /** HTTP line (`POST https://…` or `200 OK`) and relevant headers. */
  http: z.object({ line: z.string(), headers: z.array(z.object({ name: z.string(), value: z.string() })) }).optional(),
  event: z.object({ id: z.string().optional(), name: z.string().optional() }).optional(),
})
export type WireMessage = z.infer<typeof wireMessage>
export type WireKind = z.infer<typeof wireKind>
export type WireDirection = z.infer<typeof wireDirection>

/** `next-start`: recording begins with the next connection, so that its handshake is included. */
export const inspecting = z.enum(['on', 'next-start'])
export type Inspecting = z.infer<typeof inspecting>

/** Formats messages as JSON Lines, with `message` when it is complete JSON, else `text`. */
export const messageLines = (messages: readonly WireMessage[]): string => messages.map((one) => `${JSON.stringify(asLine(one))}\n`).join('')

function asLine({ text, time, cut, ...rest }: WireMessage): object {
  const message = cut ? undefined : parseJson(text)
  return { ...rest, time: new Date(time).toISOString(), ...(message === undefined ? { text, cut } : { message }) }
}
