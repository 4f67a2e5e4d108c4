// Answers every request with its own params. Ends when its stdin does.
import { createInterface } from 'node:readline'

for await (const line of createInterface({ input: process.stdin })) {
  const { id, params } = JSON.parse(line)
  if (id !== undefined) process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: params ?? {} })}\n`)
}
