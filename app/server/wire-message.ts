// One thing that went over the wire between the host and a server, as the inspector keeps it: a message, or the HTTP
// around it. Secrets are masked in it already, and of a long one only the beginning is there.
import { z } from 'zod'

export const wireDirection = z.enum(['sent', 'received'])
export const wireKind = z.enum(['request', 'notification', 'result', 'error', 'http', 'other'])

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
