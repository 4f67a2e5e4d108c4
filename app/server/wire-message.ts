// One thing that went over the wire between the host and a server, as the inspector keeps it: a message, or the HTTP around it.
// Secrets are masked in it already, and of a long one only the beginning is there. Which of what went over the wire is a call
// of a tool that can be made again: by a line for a terminal, or from a saved file. What was masked or cut is no longer what
// was sent, and is never sent in its place.

import { z } from 'zod'
import { isJsonObject, type Json, type JsonObject } from '../json.ts'
import { MASK } from '../text/secret-names.ts'

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

const wireDirection = z.enum(['sent', 'received'])
const wireKind = z.enum(['request', 'notification', 'result', 'error', 'http', 'other'])

export const wireMessage = z.object({
  /** Counts up, from one, over all that was recorded of that server. */
  seq: z.number().int(),
  /** When it was sent, or had been read: milliseconds since the epoch. */
  time: z.number(),
  direction: wireDirection,
  /** `http`: a line and its headers, without a message. `other`: what is no message of the protocol. */
  kind: wireKind,
  /** Of an answer: that of its request. */
  method: z.string().optional(),
  id: z.union([z.string(), z.number()]).optional(),
  /** The earlier one that it belongs to: the request that it answers, tells the progress of or calls off. */
  of: z.number().int().optional(),
  /** From that one to this, in milliseconds. */
  ms: z.number().optional(),
  /** In bytes, all of it. */
  size: z.number().int(),
  text: z.string(),
  /** There was more than `text`. */
  cut: z.boolean(),
  /** How it was carried: `POST https://…` or `200 OK`, with the headers that matter. */
  http: z.object({ line: z.string(), headers: z.array(z.object({ name: z.string(), value: z.string() })) }).optional(),
  /** Of an event in a stream. */
  event: z.object({ id: z.string().optional(), name: z.string().optional() }).optional(),
})
export type WireMessage = z.infer<typeof wireMessage>
export type WireKind = z.infer<typeof wireKind>
export type WireDirection = z.infer<typeof wireDirection>

/** `next-start`: from the next time that it is connected to, so that its greeting is there too. */
export const inspecting = z.enum(['on', 'next-start'])
export type Inspecting = z.infer<typeof inspecting>

/** As JSON Lines; `message` where all of it is there and it is JSON, else its `text`. */
export const messageLines = (messages: readonly WireMessage[]): string => messages.map((one) => `${JSON.stringify(asLine(one))}\n`).join('')

function asLine({ text, time, cut, ...rest }: WireMessage): object {
  const message = cut ? undefined : parsed(text)
  return { ...rest, time: new Date(time).toISOString(), ...(message === undefined ? { text, cut } : { message }) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not every line is JSON.
    return undefined
  }
}
