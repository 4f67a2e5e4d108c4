// Answers every request with two progress notifications and the result, in one chunk.
import { createInterface } from 'node:readline'

for await (const line of createInterface({ input: process.stdin })) {
  const { id, params } = JSON.parse(line)
  const progress = [1, 2].map((progress) => ({
    jsonrpc: '2.0',
    method: 'notifications/progress',
    params: { progressToken: params._meta.progressToken, progress },
  }))
  const result = { jsonrpc: '2.0', id, result: { content: [], resultType: 'complete' } }
  process.stdout.write([...progress, result].map((message) => `${JSON.stringify(message)}\n`).join(''))
}
