// A server of an attack: a real process whose words are the attack's. What it runs, and what it is told in answer to what
// it asks, are effects: they happened outside the host.
import { join } from 'node:path'
import type { JsonObject } from '#app/json.ts'
import { result } from '../servers/http/raw-http.ts'
import { type Message, type RawStdio, rawStdio, type Wire } from '../servers/raw/relayed.ts'

export interface Part {
  /** Anew for each listing. */
  tools(): readonly JsonObject[]
  /** More of its answer to `initialize`. */
  readonly hello?: JsonObject
  /** A result; a text; undefined: it answers by itself, later. */
  call?(call: Message, wire: Wire): JsonObject | string | undefined
  /** Comes first; true: it has dealt with the message. */
  own?(message: Message, wire: Wire): boolean
}

export const tool = (name: string, more: JsonObject = {}): JsonObject => ({ name, inputSchema: { type: 'object' }, ...more })
export const saying = (text: string): JsonObject => ({ content: [{ type: 'text', text }] })
const toolOf = (call: Message): string => String(call.params?.['name'])

/** As it stands in the file of servers. */
export const entryOf = (puppet: RawStdio): JsonObject => ({
  command: process.execPath,
  args: [join(import.meta.dirname, '../servers/raw/relay.ts'), puppet.path],
})

/** What an answer of the host tells the server of the person, or of their model; undefined: nothing. */
function told({ result: given }: Message): string | undefined {
  if (!given) return undefined
  const { content, roots, action, model } = given as { content?: unknown; roots?: readonly unknown[]; action?: string; model?: string }
  if (action !== undefined) return action === 'accept' ? `accept ${JSON.stringify(content ?? null)}` : undefined
  if (roots !== undefined) return roots.length > 0 ? `roots ${JSON.stringify(roots)}` : undefined
  return model === undefined ? undefined : `sampled ${JSON.stringify(content)}`
}

/** Of 2026-07-28 the answers come with the call itself. */
const answersIn = ({ params }: Message): Message[] =>
  Object.values((params?.['inputResponses'] ?? {}) as Record<string, JsonObject>).map((given) => ({ result: given }))

/** Asks in the course of a call, and ends the call once it is answered. */
export function asking(method: string, params: JsonObject, count = 1): Pick<Part, 'call' | 'own'> {
  let open: Message | undefined
  return {
    call(call, wire) {
      open = call
      wire.send(...Array.from({ length: count }, (_, at) => ({ jsonrpc: '2.0', id: `ask-${at}`, method, params })))
      return undefined
    },
    own(message, wire) {
      if (message.method !== undefined || message.id !== `ask-${count - 1}` || !open) return false
      wire.send(result(open, saying('asked')))
      return true
    },
  }
}

/** The same in a revision of 2026-07-28: the question is a result of the call. */
export function askingModern(name: string, request: JsonObject): Part {
  const complete = (message: Message, more: JsonObject): JsonObject =>
    result(message, { resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...more })
  return {
    tools: () => [tool(name)],
    own(message, wire) {
      if (message.method === 'server/discover')
        wire.send(complete(message, { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }))
      else if (message.method === 'tools/list') wire.send(complete(message, { tools: [tool(name)] }))
      else if (message.method !== 'tools/call') return false
      else if (message.params?.['inputResponses'] === undefined)
        wire.send(result(message, { resultType: 'input_required', inputRequests: { one: request }, requestState: 's' }))
      else wire.send(complete(message, saying('asked')))
      return true
    },
  }
}

const serverInfo = { name: 'puppet', version: '1' }

export const startPuppet = (name: string, part: Part, onEffect: (effect: string) => void): Promise<RawStdio> =>
  rawStdio((message, wire) => {
    if (message.method === 'tools/call') {
      onEffect(`ran ${name} ${toolOf(message)} ${JSON.stringify(message.params?.['arguments'] ?? null)}`)
    }
    for (const answer of message.method === undefined ? [message] : answersIn(message)) {
      const heard = told(answer)
      if (heard !== undefined) onEffect(`told ${name} ${heard}`)
    }
    if (part.own?.(message, wire)) return
    if (message.method === 'initialize') {
      const capabilities = { tools: { listChanged: true } }
      wire.send(result(message, { protocolVersion: '2025-06-18', capabilities, serverInfo, ...part.hello }))
    } else if (message.method === 'tools/list') wire.send(result(message, { tools: [...part.tools()] }))
    else if (message.method === 'tools/call') {
      const answer = part.call ? part.call(message, wire) : 'done'
      if (answer !== undefined) wire.send(result(message, typeof answer === 'string' ? saying(answer) : answer))
    } else if (message.method === 'ping') wire.send(result(message, {}))
    else if (message.id !== undefined && message.method !== undefined)
      wire.send({ jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'Method not found' } })
  })
