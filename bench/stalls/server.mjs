// A server of 2025-06-18, by hand, that says one thing of one shape and size: `node server.mjs SHAPE SIZE [json|events]`. Lists are of the first
// answer, results those of its tool `go`. With `json` or `events` it speaks over HTTP so, and prints its port.
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'

const [shape, sizeText, way] = process.argv.slice(2)
const size = Number(sizeText)
const write = (text) => new Promise((done) => process.stdout.write(text, done))
const text = (value) => ({ content: [{ type: 'text', text: value }] })
const times = (make) => Array.from({ length: size }, (_, n) => make(n))
const record = (make) => Object.fromEntries(times((n) => [`k${n}`, make(n)]))
const nested = (open, end) => JSON.parse(`${open.repeat(size)}1${end.repeat(size)}`)
const tool = (more) => ({ name: 'go', inputSchema: { type: 'object' }, ...more })
const filled = (unit) => unit.repeat(Math.ceil(size / unit.length)).slice(0, size)
const fills = {
  letters: 'a',
  words: 'some words of it\n',
  spaces: ' ',
  quotes: '"',
  backslashes: '\\',
  brackets: '[({<',
  marks: '\u0301',
  hidden: '\u200b',
  escapes: '\u001b[2J',
  dots: '../',
  base64: 'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo',
  hex: 'deadbeef',
  percent: '%41',
  unicode: '\\u0041',
  addresses: 'https://a.example/b?c=d ',
  tokens: 'api_key=sk-abcdefghijklmnopqrstuvwxyz0123456789 ',
  colons: 'token: ',
  lines: '\n',
  returns: '\r',
  emoji: '👩‍👩‍👧‍👦',
}

const tools = {
  'many tools': () => times((n) => tool({ name: n === 0 ? 'go' : `tool_${n}` })),
  'many tools of a sentence': () =>
    times((n) => tool({ name: n === 0 ? 'go' : `tool_${n}`, description: `Reads entry ${n} of the list and says what is in it.` })),
  'a description': () => [tool({ description: filled('Reads the list and says what is in it. ') })],
  'a description without a space': () => [tool({ description: filled('a') })],
  'a name': () => [tool(), tool({ name: filled('n') })],
  'a title': () => [tool({ title: filled('t') })],
  'properties of a schema': () => [tool({ inputSchema: { type: 'object', properties: record(() => ({ type: 'string' })) } })],
  'a deep schema': () => [tool({ inputSchema: { type: 'object', x: nested('[', ']') } })],
  'an output schema': () => [tool({ outputSchema: { type: 'object', properties: record(() => ({ type: 'string' })) } })],
  'an enum': () => [tool({ inputSchema: { type: 'object', properties: { a: { enum: times(String) } } } })],
}
const results = {
  'text blocks': () => ({ content: times((n) => ({ type: 'text', text: `line ${n}` })) }),
  links: () => ({ content: times((n) => ({ type: 'resource_link', uri: `file:///${n}`, name: `n${n}` })) }),
  'one long address': () => ({ content: [{ type: 'resource_link', uri: `file:///${filled('a/')}`, name: 'n' }] }),
  'a MIME type': () => ({ content: [{ type: 'image', data: 'aGk=', mimeType: filled('image/png;a=b') }] }),
  'an image': () => ({ content: [{ type: 'image', data: filled('QUJD'), mimeType: 'image/png' }] }),
  'keys of an object': () => ({ content: [], structuredContent: record((n) => n) }),
  'keys of metadata': () => ({ ...text('ok'), _meta: record((n) => n) }),
  'names of small objects': () => ({ ...text('ok'), _meta: { x: times((n) => ({ [`k${n}`]: n })) } }),
  'short texts': () => ({ ...text('ok'), _meta: { x: times((n) => `t${n}`) } }),
  'deep metadata': () => ({ ...text('ok'), _meta: { x: 'DEEP' } }),
  'keys behind what is deep': () => ({
    ...text('ok'),
    _meta: { x: JSON.parse(`${'['.repeat(600)}${']'.repeat(600)}`), y: record((n) => n) },
  }),
  'unknown blocks': () => ({ content: times((n) => ({ type: 'x', n })) }),
  'a deep object': () => ({ content: [], structuredContent: { a: nested('{"a":', '}') } }),
  'deep lists': () => ({ content: [], structuredContent: { a: nested('[', ']') } }),
  'an error': () => ({ ...text(filled('no ')), isError: true }),
  ...Object.fromEntries(Object.entries(fills).map(([name, unit]) => [`text of ${name}`, () => text(filled(unit))])),
}
const lists = {
  'resources/list': () => ({ resources: shape === 'resources' ? times((n) => ({ uri: `file:///${n}`, name: `n${n}` })) : [] }),
  'resources/templates/list': () => ({
    resourceTemplates: shape === 'a template' ? [{ uriTemplate: filled('{a}/'), name: 'n' }] : [],
  }),
  'prompts/list': () => ({
    prompts: shape === 'arguments of a prompt' ? [{ name: 'p', arguments: times((n) => ({ name: `a${n}` })) }] : [],
  }),
}
const notes = {
  progress: (n, progressToken) => ({ method: 'notifications/progress', params: { progressToken, progress: n } }),
  'log messages': (n) => ({ method: 'notifications/message', params: { level: 'info', data: `line ${n}` } }),
  'changed lists': () => ({ method: 'notifications/tools/list_changed' }),
  'changed resources': (n) => ({ method: 'notifications/resources/updated', params: { uri: `file:///${n}` } }),
  'unknown notifications': (n) => ({ method: `notifications/x${n}` }),
  'unknown responses': (n) => ({ id: 100_000 + n, result: {} }),
  pings: (n) => ({ id: `p${n}`, method: 'ping' }),
  'one long message': () => ({ method: 'notifications/message', params: { level: 'info', data: 'x'.repeat(1000) } }),
}

async function called({ _meta = {} }) {
  const note = notes[shape]
  for (let at = 0; note && at < size; ) {
    let lines = ''
    for (const end = Math.min(size, at + 1000); at < end; at += 1)
      lines += `${JSON.stringify({ jsonrpc: '2.0', ...note(at, _meta.progressToken) })}\n`
    await write(lines)
  }
  if (shape === 'stderr without an end')
    for (let at = 0; at < size; at += 65_536) await new Promise((done) => process.stderr.write('e'.repeat(65_536), done))
  if (shape === 'lines of stderr') await new Promise((done) => process.stderr.write('e\n'.repeat(size), done))
  if (shape === 'stdout without an end') await write(`${'o'.repeat(size)}\n`)
  if (shape === 'lines of stdout') await write('o\n'.repeat(size))
  return results[shape]?.() ?? text('ok')
}
const methods = {
  initialize: () => ({
    protocolVersion: '2025-06-18',
    capabilities: { tools: { listChanged: true }, logging: {}, resources: { subscribe: true }, prompts: {} },
    serverInfo: { name: shape === 'its own name' ? filled('n') : 'stalls', version: '1' },
    ...(shape === 'instructions' ? { instructions: filled('Do this. ') } : {}),
  }),
  'tools/list': () => ({ tools: tools[shape]?.() ?? [tool()] }),
  'tools/call': called,
  ...lists,
}

/** Written by hand: to make it would overflow the stack. */
const written = (answer) => JSON.stringify(answer).replace('"DEEP"', () => `${'['.repeat(size)}${']'.repeat(size)}`)

async function answerTo({ id, method, params = {} }) {
  if (id === undefined || method === undefined) return undefined
  const answer = methods[method]
  const outcome = answer ? { result: await answer(params) } : { error: { code: -32601, message: 'Method not found' } }
  return { jsonrpc: '2.0', id, ...outcome }
}

function serve() {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    if (request.method !== 'POST') return response.writeHead(405).end()
    const answer = await answerTo(JSON.parse(body))
    if (!answer) return response.writeHead(202).end()
    const said = written(answer)
    response.writeHead(200, { 'content-type': way === 'json' ? 'application/json' : 'text/event-stream' })
    response.end(way === 'json' ? said : `event: message\ndata: ${said}\n\n`)
  })
  server.listen(0, '127.0.0.1', () => console.log(server.address().port))
}

if (way) serve()
else
  createInterface({ input: process.stdin }).on('line', async (line) => {
    const answer = await answerTo(JSON.parse(line))
    if (answer) await write(`${written(answer)}\n`)
  })
