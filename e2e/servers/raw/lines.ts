// JSON-RPC over lines of stdin and stdout, by hand: fixtures that behave as no SDK would let them.
import { createInterface } from 'node:readline'

export interface Incoming {
  readonly id?: number | string
  readonly method?: string
  readonly params?: { readonly [key: string]: unknown; readonly name?: string; readonly arguments?: { readonly [key: string]: unknown } }
  readonly result?: { readonly [key: string]: unknown }
}

export const send = (message: object): void => void process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
export const answer = (to: Incoming, result: object): void => send({ id: to.id, result })
export const refuse = (to: Incoming, code: number, message: string): void => send({ id: to.id, error: { code, message } })
export const text = (value: string): object => ({ content: [{ type: 'text', text: value }] })
export const tool = (name: string, more: object = {}): object => ({ name, inputSchema: { type: 'object' }, ...more })

export function onMessage(listener: (message: Incoming) => void): void {
  createInterface({ input: process.stdin }).on('line', (line) => listener(JSON.parse(line) as Incoming))
}

type Handler = (message: Incoming) => void

/** A server of 2025-06-18 with these tools; `handlers` come first, what is left is answered as the specification says. */
export function legacy(tools: readonly object[], handlers: Readonly<Record<string, Handler>>, capabilities: object = { tools: {} }): void {
  onMessage((message) => {
    const own = message.method === undefined ? handlers['response'] : handlers[message.method]
    if (own) own(message)
    else if (message.method === 'initialize')
      answer(message, { protocolVersion: '2025-06-18', capabilities, serverInfo: { name: 'raw', version: '1' }, instructions: 'Be raw.' })
    else if (message.method === 'tools/list') answer(message, { tools })
    else if (message.id !== undefined && message.method !== undefined) refuse(message, -32601, 'Method not found')
  })
}
