// Answers a request after `params.count` notifications, or lines of stderr, all written as fast as they will go.
import { once } from 'node:events'
import { createInterface } from 'node:readline'

for await (const line of createInterface({ input: process.stdin })) {
  const { id, params } = JSON.parse(line)
  const out = params.stderr ? process.stderr : process.stdout
  for (let n = 1; n <= params.count; n++) {
    const text = params.stderr ? `line ${n}` : JSON.stringify({ jsonrpc: '2.0', method: 'notifications/n', params: { n } })
    if (!out.write(`${text}\n`)) await once(out, 'drain')
  }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: {} })}\n`)
}
