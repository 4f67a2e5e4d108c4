// A whole server of each era over HTTP, of which a test says only how it answers a call, and what it does with a GET.
import type { ServerResponse } from 'node:http'
import { type Answer, handshake, json, type Message, result, type Seen } from './raw-http.ts'

export type Reply = (seen: Seen, response: ServerResponse) => void
export const none: Reply = (_seen, response) => void response.writeHead(405).end()

/** With a session called `s`. */
export function older(version: string, onCall: Reply, onGet: Reply = none): Answer {
  return (seen, response) => {
    const { verb, message } = seen
    if (verb === 'GET') onGet(seen, response)
    else if (verb !== 'POST') return false
    else if (message.method === 'server/discover') response.writeHead(400).end()
    else if (message.method === 'tools/call') onCall(seen, response)
    else if (message.id === undefined) response.writeHead(202).end()
    else json(response, handshake(message, version), message.method === 'initialize' ? { 'mcp-session-id': 's' } : {})
    return true
  }
}

export const complete = (message: Message, value: object): object =>
  result(message, { resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...value })

const tools = [{ name: 'echo', inputSchema: { type: 'object' } }]

/** Of 2026-07-28. `onOther`: for what is neither its discovery, its tools nor a call; without it they are no methods. */
export function modern(onCall: Reply, onOther?: Reply, listed: () => readonly object[] = () => tools): Answer {
  return (seen, response) => {
    const { verb, message } = seen
    if (verb !== 'POST') return false
    if (message.method === 'server/discover')
      json(response, complete(message, { supportedVersions: ['2026-07-28'], capabilities: { tools: {}, resources: {} } }))
    else if (message.method === 'tools/list') json(response, complete(message, { tools: listed() }))
    else if (message.method === 'tools/call') onCall(seen, response)
    else if (onOther) onOther(seen, response)
    else json(response, { jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'Method not found' } }, {}, 404)
    return true
  }
}
