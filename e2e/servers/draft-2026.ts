// A server that speaks DRAFT-2026-v1 alone, written from the three texts of the draft (docs/protocol/draft-2026-*.md) and from nothing
// else: stateless, strict about what each request carries, with the drafts' numbers of errors and without members that came later.
import type { JsonObject } from '#app/json.ts'
import type { Message, Seen } from './http/raw-http.ts'
import { error, result } from './http/raw-http.ts'

export const draft = 'DRAFT-2026-v1'
const key = (name: string): string => `io.modelcontextprotocol/${name}`
const metaOf = ({ params }: Message): JsonObject => (params?.['_meta'] ?? {}) as JsonObject
const required = ['region', 'limit', 'dry', 'ratio']

const draftTools: JsonObject[] = [
  {
    name: 'execute_sql',
    title: 'Execute SQL',
    description: 'Execute SQL on a database',
    inputSchema: {
      type: 'object',
      properties: {
        region: { type: 'string', description: 'The region to execute the query in', 'x-mcp-header': 'Region' },
        limit: { type: 'number', 'x-mcp-header': 'Limit' },
        ratio: { type: 'number', 'x-mcp-header': 'Ratio' },
        dry: { type: 'boolean', 'x-mcp-header': 'Dry-Run' },
        query: { type: 'string' },
      },
      required: ['query'],
    },
    execution: { taskSupport: 'optional' },
  },
  { name: 'get_weather', inputSchema: { type: 'object', additionalProperties: false }, annotations: { readOnlyHint: true } },
  { name: 'fails', inputSchema: { type: 'object' } },
  {
    name: 'structured',
    inputSchema: { type: 'object' },
    outputSchema: { type: 'object', properties: { celsius: { type: 'number' } }, required: ['celsius'] },
  },
  { name: 'slow', inputSchema: { type: 'object' } },
  // Each breaks one rule of “Constraints on `x-mcp-header` values”, and is to be left out.
  ...[
    ['empty', { a: { type: 'string', 'x-mcp-header': '' } }],
    ['spaced', { a: { type: 'string', 'x-mcp-header': 'My Header' } }],
    ['colon', { a: { type: 'string', 'x-mcp-header': 'My:Header' } }],
    ['letters', { a: { type: 'string', 'x-mcp-header': 'Größe' } }],
    ['twice', { a: { type: 'string', 'x-mcp-header': 'Same' }, b: { type: 'string', 'x-mcp-header': 'SAME' } }],
    ['object', { a: { type: 'object', 'x-mcp-header': 'Object' } }],
    ['array', { a: { type: 'array', 'x-mcp-header': 'Array' } }],
  ].map(([name, properties]) => ({ name: `bad_${String(name)}`, inputSchema: { type: 'object', properties: properties as JsonObject } })),
]

const elicitation = {
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: 'Please provide your GitHub username',
    requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  },
}

/** What is wrong with a request by the texts, as an error; undefined: nothing. */
function fault(message: Message): JsonObject | undefined {
  const requested = metaOf(message)[key('protocolVersion')]
  if (requested !== draft)
    return { code: -32602, message: 'Unsupported protocol version', data: { supported: [draft], requested: requested ?? null } }
  if (message.method === 'initialize') return { code: -32601, message: 'Method not found' }
  const missing = ['clientInfo', 'clientCapabilities'].filter((name) => metaOf(message)[key(name)] === undefined)
  return missing.length > 0 ? { code: -32602, message: `Missing in _meta: ${missing.join(', ')}` } : undefined
}

/** The answer to one request; undefined: it is none that is answered at once (`slow`, `subscriptions/listen`, a notification). */
export function draftAnswer(message: Message): JsonObject | undefined {
  if (message.id === undefined || message.method === undefined) return undefined
  const wrong = fault(message)
  if (wrong) return error(message, wrong)
  const params = message.params ?? {}
  switch (message.method) {
    case 'server/discover':
      return result(message, {
        supportedVersions: [draft],
        capabilities: { tools: { listChanged: true }, resources: { listChanged: true }, prompts: {}, completions: {} },
        serverInfo: { name: 'draft-alone', version: '1.0.0' },
        instructions: 'Speak the draft.',
      })
    case 'tools/list': {
      // Two pages, so that a cursor is passed back.
      if (params['cursor'] === undefined) return result(message, { tools: draftTools.slice(0, 2), nextCursor: 'next-page-cursor' })
      return params['cursor'] === 'next-page-cursor'
        ? result(message, { tools: draftTools.slice(2) })
        : error(message, { code: -32602, message: 'Invalid cursor' })
    }
    case 'resources/list':
      return result(message, { resources: [{ uri: 'file:///projects/myapp/config.json', name: 'config.json' }] })
    case 'resources/templates/list':
      return result(message, { resourceTemplates: [{ uriTemplate: 'file:///{path}', name: 'files' }] })
    case 'prompts/list':
      return result(message, { prompts: [{ name: 'code_review', arguments: [{ name: 'code', required: true }] }] })
    case 'resources/read':
      return result(message, { contents: [{ uri: params['uri'] ?? null, mimeType: 'application/json', text: '{}' }] })
    case 'prompts/get':
      return result(message, { messages: [{ role: 'user', content: { type: 'text', text: 'Review this.' } }] })
    case 'completion/complete':
      return result(message, { completion: { values: ['python', 'pytorch'] } })
    case 'tools/call':
      return toolAnswer(message, params)
    default:
      return message.method === 'subscriptions/listen' ? undefined : error(message, { code: -32601, message: 'Method not found' })
  }
}

function toolAnswer(message: Message, params: JsonObject): JsonObject | undefined {
  const done = (text: string, more: JsonObject = {}): JsonObject =>
    result(message, { resultType: 'complete', content: [{ type: 'text', text }], ...more })
  switch (params['name']) {
    case 'execute_sql':
      return done(JSON.stringify(params['arguments']))
    case 'get_weather': {
      const given = params['inputResponses'] as { readonly github_login?: JsonObject } | undefined
      if (given === undefined)
        return result(message, {
          resultType: 'input_required',
          inputRequests: { github_login: elicitation },
          requestState: 'eyJsb2NhdGlvbiI6Ik5ldyBZb3JrIn0',
        })
      return params['requestState'] === 'eyJsb2NhdGlvbiI6Ik5ldyBZb3JrIn0'
        ? done(JSON.stringify(given))
        : error(message, { code: -32602, message: 'State' })
    }
    case 'fails':
      return done('Invalid departure date: must be in the future.', { isError: true })
    case 'structured':
      return done('{"celsius":22.5}', { structuredContent: { celsius: 22.5 } })
    case 'slow':
      return undefined
    default:
      return error(message, { code: -32602, message: `Unknown tool: ${String(params['name'])}` })
  }
}

const decoded = (value: unknown): unknown => {
  const found = /^=\?base64\?(.*)\?=$/.exec(String(value))
  return found ? Buffer.from(found[1] ?? '', 'base64').toString('utf8') : value
}

/** What “Server Validation” and “Client Behavior” of the transports page say against the headers of a POST; undefined: nothing. */
export function headerFault({ headers, message }: Seen): string | undefined {
  const { method, params = {} } = message
  if (method === undefined) return undefined
  if (headers['mcp-method'] !== method)
    return `Header mismatch: Mcp-Method header value '${String(headers['mcp-method'])}' does not match body value '${method}'`
  const named = ['tools/call', 'resources/read', 'prompts/get'].includes(method) ? (params['name'] ?? params['uri']) : undefined
  if (named !== undefined && decoded(headers['mcp-name']) !== named)
    return `Header mismatch: Mcp-Name header value '${String(headers['mcp-name'])}' does not match body value '${String(named)}'`
  if (message.id !== undefined && headers['mcp-protocol-version'] !== metaOf(message)[key('protocolVersion')])
    return 'Header mismatch: MCP-Protocol-Version'
  if (!headers.accept?.includes('application/json') || !headers.accept.includes('text/event-stream')) return 'Accept'
  if (method !== 'tools/call' || params['name'] !== 'execute_sql') return undefined
  const args = (params['arguments'] ?? {}) as JsonObject
  const header: Readonly<Record<string, string>> = { region: 'region', limit: 'limit', ratio: 'ratio', dry: 'dry-run' }
  const bad = required.find((name) => {
    const value = args[name]
    const sent = headers[`mcp-param-${header[name]}`]
    return value === undefined || value === null ? sent !== undefined : decoded(sent) !== String(value)
  })
  return bad && `Header mismatch: Mcp-Param of ${bad}`
}
