// For tests: a server whose tools change its lists, send logs and updates, ask for roots, give large results, or never end.
import { appendFileSync } from 'node:fs'
import { inputRequired, Server } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'

const [era = 'both', marks = ''] = process.argv.slice(2)
const uri = 'note://one'
const schema = { type: 'object' as const }
/** The server sends nothing out, so that rules may answer its calls. */
const annotations = { readOnlyHint: true, openWorldHint: false }

function make(): Server {
  const names = ['grow', 'big', 'log', 'touch', 'where', 'hang', 'mark']
  const server = new Server(
    { name: 'passing', version: '1' },
    { capabilities: { tools: { listChanged: true }, resources: { subscribe: true, listChanged: true }, logging: {} } },
  )
  const text = (said: string) => ({ content: [{ type: 'text' as const, text: said }] })
  server.setRequestHandler('tools/list', () => ({ tools: names.map((name) => ({ name, inputSchema: schema, annotations })) }))
  server.setRequestHandler('resources/list', () => ({ resources: [{ uri, name: 'one' }] }))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }))
  server.setRequestHandler('resources/read', () => ({ contents: [{ uri, text: 'a note' }] }))
  if (era === 'legacy') {
    server.setRequestHandler('resources/subscribe', () => ({}))
    server.setRequestHandler('resources/unsubscribe', () => ({}))
  }
  server.setRequestHandler('tools/call', async ({ params: { name } }, { mcpReq }) => {
    if (name === 'mark' || name === 'hang') appendFileSync(marks, `${name}\n`)
    if (name === 'hang') return new Promise<never>(() => undefined)
    if (name === 'big') return text('x'.repeat(3_000_000))
    if (name === 'grow') {
      names.push('grown')
      await server.sendToolListChanged()
    }
    if (name === 'touch') await server.sendResourceUpdated({ uri })
    if (name === 'log') for (const level of ['debug', 'info', 'error'] as const) await mcpReq.log(level, level, 'passing')
    if (name !== 'where') return text(name)
    if (era === 'legacy') return text(JSON.stringify(await server.listRoots()))
    const answer = mcpReq.inputResponses?.['roots']
    return answer ? text(JSON.stringify(answer)) : inputRequired({ inputRequests: { roots: inputRequired.listRoots() } })
  })
  return server
}

if (era === 'legacy') await make().connect(new StdioServerTransport())
else serveStdio(() => make(), { legacy: 'reject' })
