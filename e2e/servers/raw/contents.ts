// A server of 2025-06-18 by hand, with one resource of each kind that the library shows. `notes.md` changes with each read once
// it is subscribed to, and the server says so a moment after the first.
import { deflateSync } from 'node:zlib'
import { answer, type Incoming, onMessage, refuse, send } from './lines.ts'

/** Two pages, the least that is a PDF; readers find its objects without a table of them. */
function pdf(): Buffer {
  const page = (number: number): string => {
    const words = `BT /F1 24 Tf 40 100 Td (Page ${number} of the contract) Tj ET`
    return `<< /Length ${words.length} >>\nstream\n${words}\nendstream`
  }
  const box = '/MediaBox [0 0 300 200] /Resources << /Font << /F1 7 0 R >> >>'
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >> >>',
    '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>',
    `<< /Type /Page /Parent 2 0 R ${box} /Contents 5 0 R >>`,
    `<< /Type /Page /Parent 2 0 R ${box} /Contents 6 0 R >>`,
    page(1),
    page(2),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  const body = objects.map((object, at) => `${at + 1} 0 obj\n${object}\nendobj\n`).join('')
  return Buffer.from(`%PDF-1.4\n${body}trailer << /Root 1 0 R /Size 8 >>\n%%EOF`, 'latin1')
}

function png(): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(crc(named))
    return Buffer.concat([length, named, sum])
  }
  const head = Buffer.from([0, 0, 0, 8, 0, 0, 0, 8, 8, 0, 0, 0, 0])
  const rows = Buffer.concat(
    Array.from({ length: 8 }, (_, row) => Buffer.from([0, ...Array.from({ length: 8 }, (_column, at) => (row + at) * 16)])),
  )
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
function crc(bytes: Buffer): number {
  let value = 0xffffffff
  for (const byte of bytes) {
    value ^= byte
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  }
  return (value ^ 0xffffffff) >>> 0
}

/** A tenth of a second of silence. */
function wav(): Buffer {
  const samples = 800
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + samples, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(8000, 24)
  head.writeUInt32LE(8000, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36)
  head.writeUInt32LE(samples, 40)
  return Buffer.concat([head, Buffer.alloc(samples, 128)])
}

let reads = 0
const notes = 'shelf://2026/notes.md'
const contents: Readonly<Record<string, () => { readonly mimeType: string; readonly text?: string; readonly blob?: string }>> = {
  [notes]: () => ({ mimeType: 'text/markdown', text: `# Notes\n\nRead ${reads} times. ![x](https://example.com/x.png)\n` }),
  'shelf://2026/vendors.csv': () => ({ mimeType: 'text/csv', text: 'vendor,since\nKestrel,2025\n' }),
  'shelf://2026/rules.json': () => ({ mimeType: 'application/json', text: '{"currency":"EUR"}' }),
  'shelf://2026/rate.ts': () => ({ mimeType: 'text/x-typescript', text: 'export const rate = 0.21\n' }),
  'shelf://scans/contract.pdf': () => ({ mimeType: 'application/pdf', blob: pdf().toString('base64') }),
  'shelf://scans/stamp.png': () => ({ mimeType: 'image/png', blob: png().toString('base64') }),
  'shelf://scans/call.wav': () => ({ mimeType: 'audio/wav', blob: wav().toString('base64') }),
  'shelf://scans/raw.bin': () => ({ mimeType: 'image/png', blob: Buffer.from([0, 1, 2, 0xff, 0x41]).toString('base64') }),
}
const resources = Object.keys(contents).map((uri) => ({ uri, name: uri.split('/').at(-1) }))

const methods: Readonly<Record<string, (message: Incoming) => void>> = {
  initialize: (message) =>
    answer(message, {
      protocolVersion: '2025-06-18',
      capabilities: { resources: { subscribe: true }, prompts: {}, completions: {} },
      serverInfo: { name: 'contents', version: '1' },
    }),
  ping: (message) => answer(message, {}),
  'resources/list': (message) => answer(message, { resources }),
  'resources/templates/list': (message) =>
    answer(message, { resourceTemplates: [{ uriTemplate: 'shelf://{year}/{name}', name: 'any of a year' }] }),
  'resources/read'(message) {
    const uri = String(message.params?.['uri'])
    const made = contents[uri]
    if (!made) return refuse(message, -32002, 'No such resource')
    reads += 1
    answer(message, { contents: [{ uri, ...made() }] })
  },
  'resources/subscribe'(message) {
    answer(message, {})
    send({ method: 'notifications/resources/updated', params: { uri: message.params?.['uri'] } })
  },
  'resources/unsubscribe': (message) => answer(message, {}),
  'prompts/list': (message) =>
    answer(message, { prompts: [{ name: 'close', description: 'Closes a month', arguments: [{ name: 'month', required: true }] }] }),
  'prompts/get'(message) {
    const given = message.params?.['arguments'] as { month?: string } | undefined
    const rules = { uri: 'shelf://2026/rules.json', mimeType: 'application/json', text: '{"currency":"EUR"}' }
    answer(message, {
      messages: [
        { role: 'user', content: { type: 'text', text: `Close ${given?.month ?? ''}.` } },
        { role: 'user', content: { type: 'resource', resource: rules } },
      ],
    })
  },
  'completion/complete': (message) => answer(message, { completion: { values: ['2026', '2026-09'] } }),
}

onMessage((message) => {
  if (message.method === undefined) return
  const method = methods[message.method]
  if (method) method(message)
  else if (message.id !== undefined) refuse(message, -32601, 'Method not found')
})
