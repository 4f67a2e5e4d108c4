// An MCP server of 2025-06-18 by hand, quick to start, that fails in the way that its tools are called. Its arguments make
// it hard to end: `stubborn` ignores the end of stdin and every signal that can be ignored, `family` starts children that
// are, one in its process group, one in a session of its own, one disowned as well; `slow=MS` answers `initialize` late;
// `ledger=FILE` is where `append` writes down each call before it runs; `dies` ends soon after it has said what it offers.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, writeSync } from 'node:fs'
import { createInterface } from 'node:readline'

const words = process.argv.slice(2)
const stubborn = words.includes('stubborn')
const wordOf = (name) => words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1)
const slow = Number(wordOf('slow') ?? 0)

if (stubborn) for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => undefined)
if (stubborn) setInterval(() => undefined, 1000)
if (words.includes('family')) {
  const forever = 'trap "" TERM HUP INT; while :; do sleep 5; done'
  // It holds our stdout.
  spawn('/bin/sh', ['-c', forever], { stdio: ['ignore', 'inherit', 'ignore'] })
  spawn('/bin/sh', ['-c', forever], { stdio: 'ignore', detached: true })
  await once(spawn('/bin/sh', ['-c', '(exec sleep 600) & exit 0'], { stdio: 'ignore', detached: true }), 'exit')
}

const send = (message) => void process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const text = (value) => ({ content: [{ type: 'text', text: value }] })
const written = (stream, bytes) => new Promise((resolve) => stream.write(bytes, () => resolve()))

/** `make`: one line of it. */
async function pour(stream, count, make) {
  for (let n = 0; n < count; n += 500) {
    let lines = ''
    for (let i = n; i < Math.min(count, n + 500); i += 1) lines += `${make(i)}\n`
    await written(stream, lines)
  }
}

let unfinished
async function writeEndless({ megabytes }, id) {
  const piece = 'x'.repeat(1024 * 1024)
  await written(process.stdout, `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[{"type":"text","text":"`)
  for (let n = 0; n < megabytes; n += 1) {
    await written(process.stdout, piece)
    if (n === 64) process.stderr.write(`${Date.now()}\n`) // It is longer than any line may be.
  }
  await written(process.stdout, '"}]}}\n')
}

const tools = {
  echo: ({ word }) => text(String(word)),
  async append({ n }) {
    appendFileSync(wordOf('ledger'), `${n}\n`)
    await new Promise((resolve) => setTimeout(resolve, (n % 8) * 10))
    return text(`number ${n} is kept`)
  },
  exit: () => process.exit(1),
  hang() {
    process.stderr.write('it hangs\n')
    return new Promise(() => undefined)
  },
  async garbage({ count }) {
    await pour(process.stdout, count, (n) => `this is no protocol ${n}`)
    return text('done')
  },
  async half(_, id) {
    await written(process.stdout, `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[{"ty`)
    process.exit(1)
  },
  /** Nothing is said in the midst of that line. */
  endless(args, id) {
    unfinished = writeEndless(args, id)
    return unfinished
  },
  async notify({ count }) {
    await pour(process.stdout, count, (n) =>
      JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: `word ${n}` } }),
    )
    return text('done')
  },
  async stderr({ count }) {
    await pour(process.stderr, count, (n) => `a line that nobody asked for ${n}`)
    return text('done')
  },
}

const methods = {
  async initialize() {
    if (slow > 0) await new Promise((resolve) => setTimeout(resolve, slow))
    return { protocolVersion: '2025-06-18', capabilities: { tools: {}, logging: {} }, serverInfo: { name: 'faults', version: '1' } }
  },
  ping: () => ({}),
  'logging/setLevel': () => ({}),
  'tools/list'() {
    if (words.includes('dies'))
      setTimeout(() => {
        writeSync(2, `${Date.now()}\n`)
        process.exit(1)
      }, 100)
    return { tools: Object.keys(tools).map((name) => ({ name, inputSchema: { type: 'object' } })) }
  },
  'tools/call': ({ name, arguments: args = {} }, id) => tools[name](args, id),
}

const input = createInterface({ input: process.stdin })
input.on('line', async (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const result = await methods[method]?.(params, id)
  await unfinished
  if (result) send({ id, result })
  else if (!methods[method]) send({ id, error: { code: -32601, message: 'Method not found' } })
})
