// A server of 2025-06-18 by hand, with fifty thousand resources in pages of a thousand, in four hundred folders.
import { createInterface } from 'node:readline'

const total = 50_000
const each = 1000
const resource = (n) => ({
  uri: `archive://20${String(n % 25).padStart(2, '0')}/box-${n % 400}/scan-${n}.pdf`,
  name: `scan-${n}.pdf`,
  mimeType: 'application/pdf',
})
const answers = {
  initialize: () => ({
    protocolVersion: '2025-06-18',
    capabilities: { resources: {} },
    serverInfo: { name: 'many-resources', version: '1' },
  }),
  'resources/list': ({ cursor = '0' } = {}) => {
    const from = Number(cursor)
    const resources = Array.from({ length: Math.min(each, total - from) }, (_, at) => resource(from + at))
    return { resources, ...(from + each < total ? { nextCursor: String(from + each) } : {}) }
  },
  'resources/templates/list': () => ({ resourceTemplates: [] }),
}
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const answer = answers[method] ? { result: answers[method](params) } : { error: { code: -32601, message: 'Method not found' } }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`)
})
