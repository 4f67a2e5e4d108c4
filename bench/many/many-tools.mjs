// A server of 2025-06-18 by hand, with five thousand tools in one list.
import { createInterface } from 'node:readline'

const tools = Array.from({ length: 5000 }, (_, n) => ({
  name: `tool_${String(n).padStart(4, '0')}`,
  description: `Does the thing that has the number ${n}, and says what came of it.`,
  inputSchema: { type: 'object', properties: { message: { type: 'string' }, limit: { type: 'integer' } }, required: ['message'] },
}))
const answers = {
  initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'many-tools', version: '1' } },
  'tools/list': { tools },
}
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  if (id === undefined) return
  const result = answers[method]
  const answer = result ? { result } : { error: { code: -32601, message: 'Method not found' } }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`)
})
