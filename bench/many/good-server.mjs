// What most servers are: the SDK, a handful of tools, a prompt and a resource. Argument: its name.
import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

const name = process.argv[2] ?? 'good'

serveStdio(() => {
  const server = new McpServer({ name, version: '1.0.0' })
  for (const tool of ['find', 'read', 'write', 'list', 'echo'])
    server.registerTool(
      tool,
      { description: `It can ${tool} things of ${name}.`, inputSchema: z.object({ message: z.string(), limit: z.number().optional() }) },
      ({ message }) => ({ content: [{ type: 'text', text: message }] }),
    )
  server.registerResource('about', `about:${name}`, { description: 'What this is' }, (uri) => ({
    contents: [{ uri: uri.href, text: name }],
  }))
  server.registerPrompt('greet', { description: 'A greeting' }, () => ({
    messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }],
  }))
  return server
})
