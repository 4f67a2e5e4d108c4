// What a script of the bare SDK does with one server: connects, lists its tools, has one echo its word, ends. It prints
// milliseconds of each step on the way, and what the process had in memory while it was connected. Arguments: the server's.
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

const begun = performance.now()
const client = new Client({ name: 'bench', version: '1' })
await client.connect(new StdioClientTransport({ command: process.execPath, args: process.argv.slice(2) }))
await client.listTools()
const connected = performance.now()
await client.callTool({ name: 'echo', arguments: { word: 'hello' } })
const called = performance.now()
const rssMb = process.memoryUsage.rss() / 2 ** 20
process.stdout.write(`${JSON.stringify({ connectMs: connected - begun, callMs: called - connected, rssMb })}\n`)
await client.close()
