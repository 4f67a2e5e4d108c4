// Answers every request with a text of `params.size` characters, or a line of so many without an end.
import { createInterface } from 'node:readline'

for await (const line of createInterface({ input: process.stdin })) {
  const { id, params } = JSON.parse(line)
  const text = 'x'.repeat(params.size)
  process.stdout.write(params.unending ? text : `${JSON.stringify({ result: { text }, jsonrpc: '2.0', id })}\n`)
}
