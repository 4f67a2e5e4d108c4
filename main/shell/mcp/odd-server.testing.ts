// For tests: a server of raw messages, with what the SDK would not let one say: schemas that clients refuse, names, late progress, noise.
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

type Message = { readonly id?: number; readonly method: string; readonly params?: Record<string, unknown> }

const [name = 'odd', marks = '', kind = 'all'] = process.argv.slice(2)
const object = { type: 'object' }
const odd = [
  { name: 'union', inputSchema: { anyOf: [{ type: 'object', properties: { a: { type: 'string' } } }, { type: 'object' }] } },
  { name: 'nulls', inputSchema: { type: 'object', properties: {}, required: null } },
  { name: 'text', inputSchema: { type: 'string' } },
  { name: 'none' },
  { name: 'out', inputSchema: object, outputSchema: { anyOf: [{ type: 'object' }, { type: 'null' }] } },
]
const plain = ['good', 'late', 'link', 'breaks', 'noise', 'slow', 'bare', 'get page.v1'].map((tool) => ({
  name: tool,
  inputSchema: object,
}))
const draft = {
  name: 'draft',
  inputSchema: object,
  outputSchema: { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', properties: { a: { type: 'number' } } },
}
const send = (message: object): void => void process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const text = (said: string) => ({ content: [{ type: 'text', text: said }] })

function call({ id, params = {} }: Message): void {
  const token = (params['_meta'] as { progressToken?: string | number } | undefined)?.progressToken
  const progress = (at: number): void => {
    if (token !== undefined) send({ method: 'notifications/progress', params: { progressToken: token, progress: at, total: 9 } })
  }
  const results: Readonly<Record<string, object>> = {
    link: { content: [{ type: 'resource_link', uri: 'report://2026/q3', name: 'Q3' }, ...text('see the report').content] },
    breaks: text(`a\u2028b\u2029c\u0000d\ud800e\r\nf`),
    bare: { structuredContent: { a: 1 } },
    draft: { ...text('{"a":1}'), structuredContent: { a: 1 } },
  }
  if (params['name'] === 'slow') {
    appendFileSync(marks, 'slow\n')
    return
  }
  if (params['name'] === 'noise') process.stdout.write('Server started\n')
  if (params['name'] === 'noise') process.stderr.write('[db] connected\n')
  if (params['name'] === 'late') for (const at of [1, 2]) progress(at)
  send({ id, result: results[String(params['name'])] ?? text(`${name} ${String(params['name'])}`) })
  if (params['name'] === 'late') for (const at of [3, 4]) progress(at)
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line) as Message
  const { id, method, params } = message
  if (method === 'notifications/cancelled') appendFileSync(marks, 'cancelled\n')
  if (id === undefined) return
  const lists: Readonly<Record<string, object>> = {
    'resources/list': { resources: [{ uri: `${name}://listed`, name: 'listed' }] },
    'resources/templates/list': { resourceTemplates: [] },
    'resources/read': { contents: [{ uri: params?.['uri'], text: `${name} has it` }] },
    'prompts/list': { prompts: [{ name: 'hang' }] },
  }
  const results: Readonly<Record<string, object>> = {
    initialize: {
      protocolVersion: '2025-06-18',
      serverInfo: { name, version: '1' },
      capabilities: { tools: {}, ...(kind === 'tools' ? {} : { resources: {}, prompts: {} }) },
    },
    'tools/list': { tools: kind === 'odd' ? [...odd, ...plain, draft] : [...plain, draft] },
    ping: {},
    ...(kind === 'tools' ? {} : lists),
  }
  if (method === 'tools/call') call(message)
  else if (method === 'prompts/get' && kind !== 'tools') appendFileSync(marks, 'prompt\n')
  else send({ id, ...(results[method] ? { result: results[method] } : { error: { code: -32601, message: 'Method not found' } }) })
})
process.stdin.once('end', () => process.exit(0))
