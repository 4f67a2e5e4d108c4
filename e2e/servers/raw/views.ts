// A server whose tools bring interfaces (MCP Apps), of either era: `views.ts modern|legacy [LURE]`. Its views are files of
// `../views`; the official SDK of views is put into those that ask for it, as servers do that ship one file.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { answer, type Incoming, onMessage, refuse, text, tool } from './lines.ts'

const modern = process.argv[2] === 'modern'
const viewType = 'text/html;profile=mcp-app'
const extension = 'io.modelcontextprotocol/ui'

/** The bundle's exports as an object, since nothing can be imported in a document without an origin. */
function sdk(): string {
  const bundle = readFileSync(createRequire(import.meta.url).resolve('@modelcontextprotocol/ext-apps/app-with-deps'), 'utf8')
  const names = /export\{([^}]*)\};?\s*(?:\/\/.*)?$/.exec(bundle)
  if (!names) throw new Error('the SDK of views is built otherwise than it was')
  const members = (names[1] ?? '').split(',').map((one) => one.trim().split(' as '))
  return `${bundle.slice(0, names.index)}\nconst ext = { ${members.map(([own, as = own]) => `${as}: ${own}`).join(', ')} };`.replace(
    /<(?=\/script|!--)/gi,
    '\\x3c',
  )
}
const file = (name: string): string => {
  const html = readFileSync(join(import.meta.dirname, '../views', name), 'utf8')
  return html.includes('/*SDK*/') ? html.replace('/*SDK*/', () => sdk()) : html.replace('/*LURE*/', process.argv[3] ?? '')
}

const html = (uri: string, body: string, ui: object = {}): object => ({
  contents: [{ uri, mimeType: viewType, text: body, _meta: { ui } }],
})
const reaching = {
  connectDomains: ['https://api.example.com', '*'],
  resourceDomains: ['https://cdn.example.com'],
  frameDomains: ['https://www.example.com'],
}
const resources: Readonly<Record<string, (uri: string) => object>> = {
  'ui://views/plain.html': (uri) => html(uri, file('plain.html'), { permissions: { camera: {} } }),
  'ui://views/reaching.html': (uri) => html(uri, '<!doctype html><title>Reaching</title><p>It reaches', { csp: reaching }),
  'ui://views/hostile.html': (uri) => html(uri, file('hostile.html')),
  'ui://views/wrong.html': (uri) => ({ contents: [{ uri, mimeType: 'text/html', text: '<p>wrong' }] }),
  'ui://views/large.html': (uri) => html(uri, 'x'.repeat(8_000_001)),
  'ui://views/encoded.html': (uri) => ({
    contents: [{ uri, mimeType: 'Text/HTML; profile="mcp-app"', blob: Buffer.from('<p>Ünïcode').toString('base64') }],
  }),
  'note://one': (uri) => ({ contents: [{ uri, mimeType: 'text/plain', text: 'a note' }] }),
}
const draws = (name: string, view: string): object => tool(name, { _meta: { ui: { resourceUri: `ui://views/${view}.html` } } })
const tools = [
  draws('plain', 'plain'),
  draws('hostile', 'hostile'),
  draws('wrong', 'wrong'),
  draws('large', 'large'),
  draws('missing', 'missing'),
  draws('encoded', 'encoded'),
  tool('reaching', { _meta: { 'ui/resourceUri': 'ui://views/reaching.html' } }),
  tool('refresh', { _meta: { ui: { visibility: ['app'] } } }),
  tool('secret', { _meta: { ui: { visibility: ['model'] } } }),
]
let told: unknown
let count = 0

const methods: Readonly<Record<string, (message: Incoming) => object | undefined>> = {
  initialize: ({ params }) => {
    told = (params?.['capabilities'] as { extensions?: unknown } | undefined)?.extensions
    return { protocolVersion: '2025-06-18', capabilities: { tools: {}, resources: {} }, serverInfo: { name: 'views', version: '1' } }
  },
  'server/discover': () => ({
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {}, resources: {}, extensions: { [extension]: {} } },
  }),
  'tools/list': () => ({ tools }),
  'resources/list': () => ({ resources: [{ uri: 'note://one', name: 'note' }] }),
  'resources/templates/list': () => ({ resourceTemplates: [] }),
  'resources/read': ({ params }) => resources[String(params?.['uri'])]?.(String(params?.['uri'])),
  'tools/call': ({ params }) => {
    const meta = params?.['_meta'] as Readonly<Record<string, { extensions?: unknown } | undefined>> | undefined
    if (params?.name === 'secret') return text(JSON.stringify(told ?? meta?.['io.modelcontextprotocol/clientCapabilities']?.extensions))
    if (params?.name === 'refresh') count += 1
    return text(params?.name === 'refresh' ? `refreshed ${count}` : `Drawn with ${JSON.stringify(params?.arguments)}`)
  },
}

onMessage((message) => {
  if (message.id === undefined) return
  const found =
    !modern && message.method === 'server/discover'
      ? undefined
      : modern && message.method === 'initialize'
        ? undefined
        : methods[message.method ?? '']
  const result = found?.(message)
  if (result) answer(message, modern ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...result } : result)
  else
    refuse(
      message,
      message.method === 'resources/read' ? -32002 : -32601,
      message.method === 'resources/read' ? 'Resource not found' : 'Method not found',
    )
})
