// Connects to a fake server before there is a real one: the SDK builds a schema for its first request
// (docs/decisions/0044), which takes longer than a server takes to answer.
import { LATEST_PROTOCOL_VERSION, type Transport } from '@modelcontextprotocol/client'
import type { Json, JsonObject } from '#app/json.ts'
import type { Clock } from '#main/base/clock.ts'
import { createPausableTimeouts } from '#main/servers/transport/pausable-timeouts.ts'
import { withRawRequests } from '#main/servers/transport/stdio/raw-requests.ts'
import { connectProcess } from '../connection/connect.ts'
import { readTools } from './catalogue-entries.ts'

const tool = { name: 'nothing', description: 'Does nothing.', inputSchema: { type: 'object' } }

const answers: Readonly<Record<string, JsonObject>> = {
  initialize: {
    protocolVersion: LATEST_PROTOCOL_VERSION,
    capabilities: { tools: {}, resources: {}, prompts: {} },
    serverInfo: { name: 'nobody', version: '0' },
  },
  'tools/list': { tools: [tool] },
}

/** Answers each request in a later turn, and knows the older handshake alone, as most servers do. */
function nobody(): Transport {
  const transport: Transport = {
    start: async () => {},
    close: async () => transport.onclose?.(),
    async send(message) {
      if (!('method' in message) || !('id' in message)) return
      const { id, method } = message
      const result = answers[method]
      const error = { code: -32601, message: 'Method not found' }
      setImmediate(() => transport.onmessage?.({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) } as never))
    },
  }
  return transport
}

const never = new Promise<never>(() => undefined)
const unused = (): never => {
  throw new Error('nobody asks')
}

/** Runs a handshake and a list of tools, and resolves to their names. */
export async function warmUp(clock: Clock): Promise<readonly string[]> {
  const { signal } = new AbortController()
  const connection = await connectProcess({
    server: 'nobody',
    version: '0',
    handlers: { sampling: unused, elicitation: unused, roots: unused },
    clock,
    requests: { audit: { append: unused }, logLevel: () => 'info', refreshTool: unused },
    signal,
    waits: createPausableTimeouts(),
    onNegotiating: () => undefined,
    launch: async () => ({ kind: 'stdio', transport: withRawRequests(nobody()), pid: undefined, ended: never, close: async () => {} }),
    remembered: undefined,
    shunsProbe: false,
    onShunned: () => undefined,
  })
  const { tools } = await connection.request('tools/list', {}, { signal })
  await connection.close()
  const { entries } = await readTools('nobody', tools as readonly Json[], () => new Set())
  return entries.map(({ name }) => name)
}
