// The bare SDK connects to the forty good servers, all at once, and lists what each offers; prints milliseconds.
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { goodServers } from './good-servers.ts'

const begun = performance.now()
const clients = await Promise.all(
  Object.values(goodServers).map(async (server) => {
    const client = new Client({ name: 'bench', version: '1' })
    await client.connect(new StdioClientTransport({ ...server, stderr: 'pipe' }))
    await Promise.all([client.listTools(), client.listResources(), client.listResourceTemplates(), client.listPrompts()])
    return client
  }),
)
const readyMs = performance.now() - begun
const { user, system } = process.cpuUsage()
process.stdout.write(`${JSON.stringify({ readyMs, cpuMs: (user + system) / 1000 })}\n`)
await Promise.all(clients.map((client) => client.close()))
