// An old server that reads a file and reaches a host when it is asked to, and says what came of it.
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { answer, type Incoming, legacy, text, tool } from './lines.ts'

const wordOf = ({ params }: Incoming): string => String(params?.arguments?.['of'])

function read(message: Incoming): void {
  try {
    answer(message, text(readFileSync(wordOf(message), 'utf8')))
  } catch (error) {
    answer(message, { ...text(String(error)), isError: true })
  }
}

/** Answers with the status line, of the host or of the proxy that stands before it. */
function reach(message: Incoming): void {
  const host = wordOf(message)
  const { hostname, port } = new URL(process.env['HTTP_PROXY'] ?? `http://${host}`)
  let said = ''
  connect(Number(port || 80), hostname)
    .setEncoding('utf8')
    .on('data', (data) => {
      said += data
    })
    .on('error', (error) => answer(message, { ...text(String(error)), isError: true }))
    .on('end', () => answer(message, text(said.split('\r\n')[0] ?? '')))
    .end(`GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
}

const inputSchema = { type: 'object', properties: { of: { type: 'string' } }, required: ['of'] }
legacy([tool('read', { inputSchema }), tool('reach', { inputSchema })], {
  'tools/call': (message) => (message.params?.name === 'read' ? read(message) : reach(message)),
})
