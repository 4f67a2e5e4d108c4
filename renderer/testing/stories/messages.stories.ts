// For the inspector of a server: a conversation over Streamable HTTP, with a call, its progress and its error.
import type { WireMessage } from '#app/server/wire-message.ts'
import { makeServer, makeSnapshot } from '../builders.ts'
import { createFakeConnection, type FakeConnection } from '../fake-link.ts'

const start = new Date('2026-05-04T10:31:02.120').getTime()
const post = (headers: Readonly<Record<string, string>> = {}): NonNullable<WireMessage['http']> => ({
  line: 'POST https://tracker.example/mcp',
  headers: Object.entries({
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    authorization: 'Bearer •••',
    'mcp-session-id': '•••',
    'mcp-protocol-version': '2025-06-18',
    ...headers,
  }).map(([name, value]) => ({ name, value })),
})

type Part = Omit<WireMessage, 'seq' | 'time' | 'text' | 'size' | 'cut'> & {
  readonly after: number
  readonly message?: object
  readonly size?: number
}

const request = (id: number, method: string, params: object = {}): Part & { readonly message: object } => ({
  after: 40,
  direction: 'sent',
  kind: 'request',
  method,
  id,
  http: post({ 'mcp-method': method }),
  message: { jsonrpc: '2.0', id, method, params },
})
const opened = (of: number, line = '200 OK'): Part => ({
  after: 9,
  direction: 'received',
  kind: 'http',
  of,
  ms: 9,
  http: { line, headers: [{ name: 'content-type', value: 'text/event-stream' }] },
})
const answer = (of: number, id: number, method: string, result: object, ms: number): Part => ({
  after: ms,
  direction: 'received',
  kind: 'result',
  method,
  id,
  of,
  ms,
  event: { id: `e-${id}` },
  message: { jsonrpc: '2.0', id, result },
})

const search = { name: 'search_issues', arguments: { query: 'is:open label:bug', limit: 20 }, _meta: { progressToken: 3 } }
const parts: readonly Part[] = [
  request(0, 'initialize', {
    protocolVersion: '2025-11-25',
    capabilities: { roots: {} },
    clientInfo: { name: 'assent', version: '0.1.0' },
  }),
  opened(1),
  answer(
    1,
    0,
    'initialize',
    { protocolVersion: '2025-06-18', serverInfo: { name: 'tracker', version: '4.2.0' }, capabilities: { tools: {} } },
    31,
  ),
  {
    after: 2,
    direction: 'sent',
    kind: 'notification',
    method: 'notifications/initialized',
    http: post(),
    message: { jsonrpc: '2.0', method: 'notifications/initialized' },
  },
  opened(4, '202 Accepted'),
  request(1, 'tools/list'),
  opened(6),
  {
    ...answer(
      6,
      1,
      'tools/list',
      { tools: ['search_issues', 'create_issue'].map((name) => ({ name, inputSchema: { type: 'object' } })) },
      48,
    ),
    size: 412_000,
  },
  request(2, 'tools/call', search),
  opened(9),
  ...[1, 2].map(
    (step): Part => ({
      after: 200,
      direction: 'received',
      kind: 'notification',
      method: 'notifications/progress',
      of: 9,
      ms: 209 + 200 * (step - 1),
      message: { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 3, progress: step, total: 3 } },
    }),
  ),
  {
    after: 890,
    direction: 'received',
    kind: 'error',
    method: 'tools/call',
    id: 2,
    of: 9,
    ms: 1299,
    message: { jsonrpc: '2.0', id: 2, error: { code: -32000, message: 'The index is being rebuilt.' } },
  },
]

/** `times`: as often one after the other. */
function conversation(times: number): WireMessage[] {
  let time = start
  return Array.from({ length: times }, () => parts)
    .flat()
    .map(({ after, message, size, of, ...rest }, index) => {
      time += after
      const text = message === undefined ? '' : JSON.stringify(message)
      const base = index - (index % parts.length)
      return {
        ...rest,
        ...(of === undefined ? {} : { of: base + of }),
        seq: index + 1,
        time,
        text,
        size: size ?? text.length,
        cut: size !== undefined,
      }
    })
}

/** Open `#/servers/tracker/messages`. */
export const messageScene =
  (times: number, inspecting: 'on' | 'off' = 'on') =>
  (theme: 'light' | 'dark'): FakeConnection => {
    const messages = conversation(times)
    const definition = {
      transport: 'streamable-http',
      url: 'https://tracker.example/mcp',
      headers: {},
      enabled: true,
      start: 'needed',
      trusted: false,
    } as const
    return createFakeConnection({
      snapshot: {
        servers: [makeServer({ name: 'tracker', definition, ...(inspecting === 'on' ? { inspecting } : {}) }), makeServer()],
        settings: { ...makeSnapshot().settings, theme, welcomed: true },
      },
      answers: {
        'server.catalogue': () => ({ tools: [], resources: [], resourceTemplates: [], prompts: [], fetchedAt: 1 }),
        'server.log': () => ({ lines: [], dropped: 0, earlier: [] }),
        'server.messages': ({ after }) => ({ messages: messages.slice(after, after + 200), first: 1, last: messages.length }),
      },
    })
  }
