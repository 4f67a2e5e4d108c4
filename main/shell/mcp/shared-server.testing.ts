// For tests: a server whose lists have pages, whose tools have all that a definition may have, and whose answers show what reached it.
import { ProtocolError, Server } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'

/** Definition with what gateways were reported to lose. */
export const wholeTool = {
  name: 'whole',
  title: 'Whole',
  description: 'Has all that a tool may have',
  inputSchema: {
    type: 'object' as const,
    properties: { home: { $ref: '#/$defs/address' }, old: { $ref: '#/definitions/old' } },
    $defs: { address: { type: 'object', properties: { city: { type: 'string' } } } },
    definitions: { old: { type: 'integer' } },
    additionalProperties: false,
    oneOf: [{ required: ['home'] }, { required: ['old'] }],
  },
  outputSchema: { type: 'object' as const, properties: { code: { type: 'string' } }, required: ['code'] },
  annotations: { title: 'Whole', readOnlyHint: true, openWorldHint: false, idempotentHint: true },
  _meta: { 'com.example/ui': { template: 'card' } },
}
export const wholeResult = {
  isError: true,
  content: [{ type: 'text' as const, text: 'failed', annotations: { audience: ['user' as const] }, _meta: { 'com.example/part': 1 } }],
  structuredContent: { code: 'RATE_LIMITED' },
  _meta: { 'com.example/retry': 30 },
}

const [name = '', ...tools] = process.argv.slice(2)

function make(): Server {
  const server = new Server({ name, version: '1' }, { capabilities: { tools: {}, resources: {} } })
  const text = (said: string) => ({ content: [{ type: 'text' as const, text: said }] })
  const pages = [
    [wholeTool],
    [...['say', 'meta', 'pid', 'fail'], ...tools].map((tool) => ({ name: tool, inputSchema: { type: 'object' as const } })),
  ]
  server.setRequestHandler('tools/list', ({ params }) => {
    const at = Number(params?.cursor ?? 0)
    // The last page names itself as the next one, as some servers do.
    return { tools: pages[at] ?? [], nextCursor: String(Math.min(at + 1, pages.length - 1)) }
  })
  server.setRequestHandler('resources/list', () => ({ resources: [{ uri: 'shared://doc', name: `doc of ${name}` }] }))
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [{ uriTemplate: `${name}://{id}{?format}`, name: 'rows' }],
  }))
  server.setRequestHandler('resources/read', ({ params: { uri } }) => ({ contents: [{ uri, text: name }] }))
  server.setRequestHandler('tools/call', async ({ params }) => {
    const { ms = 0, word = '' } = (params.arguments ?? {}) as { ms?: number; word?: string }
    await new Promise((resolve) => setTimeout(resolve, ms))
    if (params.name === 'whole') return wholeResult
    if (params.name === 'meta') return text(JSON.stringify(params._meta ?? {}))
    if (params.name === 'pid') return text(String(process.pid))
    if (params.name === 'fail') throw new ProtocolError(-32055, 'Quota is used up', { until: 'tomorrow' })
    return text(`${name} ${params.name} ${word}`.trim())
  })
  return server
}

if (process.argv[1] === import.meta.filename) await make().connect(new StdioServerTransport())
