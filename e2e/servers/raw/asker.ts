// A server whose tools ask the person, in either era: as a request of its own in the course of the call (2025-11-25), or
// inside the call's result (`input_required`, 2026-07-28). A test is its mind, and reads here what really came back to it.
import { join } from 'node:path'
import type { JsonObject } from '#app/json.ts'
import { result } from '../http/raw-http.ts'
import { type Message, type RawStdio, rawStdio, type Wire } from './relayed.ts'

export type Era = '2025-11-25' | '2026-07-28'
export const eras: readonly Era[] = ['2025-11-25', '2026-07-28']

/** A question, or several of one result (2026-07-28 only) by name. */
export type Question = { readonly method: string; readonly params?: JsonObject }

export interface AskerTool {
  readonly tool: JsonObject
  /** Undefined: it asks nothing, and says what it was called with. */
  readonly asks?: () => Question
}

export interface Asker {
  /** As it stands in the file of servers. */
  readonly entry: JsonObject
  readonly raw: RawStdio
  /** Calls of its tools in the order they came, a retry with answers not counted: name and arguments. */
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[]
  /** What was given to its questions: a result, or the error in place of it. */
  readonly given: readonly unknown[]
  /** The older era: the last question is taken back, for this reason. */
  takeBack(reason: string): void
  /** A tool of it is described so from now on, and whoever listens is told. */
  redescribe(tool: string, description: string): void
  forget(): void
  close(): Promise<void>
}

interface Open {
  readonly call: Message
  readonly wire: Wire
}

export async function startAsker(era: Era, first: readonly AskerTool[]): Promise<Asker> {
  let tools = first
  let listening: Message | undefined
  const calls: { name: string; arguments: unknown }[] = []
  const given: unknown[] = []
  const open = new Map<string, Open>()
  let asked = 0
  const complete = (to: Message, value: JsonObject): object =>
    result(to, era === '2026-07-28' ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...value } : value)
  const heard = (call: Message, wire: Wire, what: unknown): void => {
    given.push(what)
    wire.send(complete(call, { content: [{ type: 'text', text: JSON.stringify(what) }] }))
  }

  function onCall(call: Message, wire: Wire): void {
    const name = String(call.params?.['name'])
    const responses = call.params?.['inputResponses'] as { one: unknown } | undefined
    if (responses) {
      heard(call, wire, responses.one)
      return
    }
    calls.push({ name, arguments: call.params?.['arguments'] ?? {} })
    const question = tools.find(({ tool }) => tool['name'] === name)?.asks?.()
    if (!question) {
      wire.send(complete(call, { content: [{ type: 'text', text: JSON.stringify(call.params?.['arguments']) }] }))
      return
    }
    if (era === '2026-07-28') {
      wire.send(result(call, { resultType: 'input_required', inputRequests: { one: question as JsonObject }, requestState: 's' }))
      return
    }
    asked += 1
    const id = `ask-${asked}`
    open.set(id, { call, wire })
    wire.send({ jsonrpc: '2.0', id, ...question })
  }

  const serverInfo = { name: 'asker', version: '1' }
  const capabilities = { tools: { listChanged: true } }
  const raw = await rawStdio((message, wire) => {
    const { id, method } = message
    const waiting = method === undefined ? open.get(String(id)) : undefined
    if (waiting) {
      open.delete(String(id))
      heard(waiting.call, wire, message.error ?? message.result)
    } else if (method === 'tools/call') onCall(message, wire)
    else if (method === 'tools/list') wire.send(complete(message, { tools: tools.map(({ tool }) => tool) }))
    else if (method === 'server/discover' && era === '2026-07-28') wire.send(complete(message, { supportedVersions: [era], capabilities }))
    else if (method === 'subscriptions/listen') {
      listening = message
      const params = {
        _meta: { 'io.modelcontextprotocol/subscriptionId': id ?? null },
        notifications: message.params?.['notifications'] ?? null,
      }
      wire.send({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params })
    } else if (method === 'initialize' && era === '2025-11-25')
      wire.send(result(message, { protocolVersion: era, capabilities, serverInfo }))
    else if (id !== undefined && method !== undefined)
      wire.send({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } })
  })
  return {
    entry: { command: process.execPath, args: [join(import.meta.dirname, 'relay.ts'), raw.path] },
    raw,
    calls,
    given,
    takeBack(reason) {
      const [requestId, last] = [...open].at(-1) ?? []
      if (requestId === undefined || !last) throw new Error('nothing is asked')
      last.wire.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, reason } })
      last.wire.send(result(last.call, { content: [{ type: 'text', text: 'taken back' }] }))
    },
    redescribe(name, description) {
      tools = tools.map((one) => (one.tool['name'] === name ? { ...one, tool: { ...one.tool, description } } : one))
      const params = listening ? { params: { _meta: { 'io.modelcontextprotocol/subscriptionId': listening.id } } } : {}
      raw.wire.send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed', ...params })
    },
    forget() {
      calls.length = 0
      given.length = 0
    },
    close: () => raw.close(),
  }
}
