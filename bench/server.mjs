// A server of 2025-06-18 for the benchmarks, by hand, so that what is measured is the client. It writes as Node does. `echo`
// answers at once, `text` with so many bytes, `rows` with as many in an array of small objects, and `flood` sends so many
// notifications a second for so many milliseconds before it answers with how many it sent.
import { createInterface } from 'node:readline'

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const text = (value) => ({ content: [{ type: 'text', text: value }] })

const notes = {
  message: (n) => ({ method: 'notifications/message', params: { level: 'info', data: `line ${n}` } }),
  progress: (n, progressToken) => ({ method: 'notifications/progress', params: { progressToken, progress: n } }),
  updated: (n) => ({ method: 'notifications/resources/updated', params: { uri: `bench://${n % 100}` } }),
}

/** Batches of 5 ms; what a pipe that is full held up is made good for, so that the rate is what was asked for. */
async function flood({ kind, perSecond, ms }, { progressToken }) {
  const from = performance.now()
  let sent = 0
  for (let over = false; !over; ) {
    const passed = performance.now() - from
    over = passed >= ms
    const due = Math.floor((Math.min(passed, ms) * perSecond) / 1000)
    let lines = ''
    for (; sent < due; sent += 1) lines += `${JSON.stringify({ jsonrpc: '2.0', ...notes[kind](sent, progressToken) })}\n`
    await new Promise((resolve) => process.stdout.write(lines, () => setTimeout(resolve, 5)))
  }
  return text(String(sent))
}

/** Made once a size: what is measured is how long a result takes to arrive. */
const texts = new Map()
function textOf(bytes) {
  if (!texts.has(bytes)) texts.set(bytes, 'some words of a long text\n'.repeat(Math.ceil(bytes / 26)).slice(0, bytes))
  return texts.get(bytes)
}

const tools = {
  echo: ({ word }) => text(word),
  text: ({ bytes }) => text(textOf(bytes)),
  rows({ bytes }) {
    const row = (n) => ({ id: n, name: `row ${n}`, tags: ['a', 'b'], at: { x: n / 7, y: null }, done: n % 2 === 0 })
    const size = JSON.stringify(row(10_000)).length
    return { content: [], structuredContent: { rows: Array.from({ length: Math.floor(bytes / size) }, (_, n) => row(n)) } }
  },
  flood: (args, meta) => flood(args, meta),
}

const schemas = { echo: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] } }

const methods = {
  initialize: () => ({
    protocolVersion: '2025-06-18',
    capabilities: { tools: {}, logging: {}, resources: { subscribe: true } },
    serverInfo: { name: 'bench', version: '1' },
  }),
  'tools/list': () => ({ tools: Object.keys(tools).map((name) => ({ name, inputSchema: schemas[name] ?? { type: 'object' } })) }),
  'resources/list': () => ({ resources: [] }),
  'resources/templates/list': () => ({ resourceTemplates: [] }),
  'tools/call': ({ name, arguments: args = {}, _meta = {} }) => tools[name](args, _meta),
}

createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined || method === undefined) return
  const answer = methods[method]
  if (answer) send({ id, result: await answer(params) })
  else send({ id, error: { code: -32601, message: 'Method not found' } })
})
