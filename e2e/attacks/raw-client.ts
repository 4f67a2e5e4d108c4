// Speaks HTTP by hand, so that a test can send what no browser or library would: no Host, two of them, any target.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export type HeaderLine = readonly [name: string, value: string]

export interface RawRequest {
  readonly method: string
  readonly target: string
  readonly headers: readonly HeaderLine[]
  readonly body?: string | Uint8Array
}

export interface RawAnswer {
  /** 0: the connection ended without an answer. */
  readonly status: number
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

export async function openSocket(port: number): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port })
  // A refused connection may end in a reset; what counts is what was answered before.
  socket.on('error', () => {})
  await Promise.race([once(socket, 'connect'), once(socket, 'close')])
  return socket
}

/** Resolves when the answer's body is whole, or the connection ended. */
export async function send(port: number, request: RawRequest): Promise<RawAnswer> {
  const socket = await openSocket(port)
  const head = [`${request.method} ${request.target} HTTP/1.1`, ...request.headers.map(([name, value]) => `${name}: ${value}`), '', '']
  let text = ''
  try {
    return await new Promise((resolve) => {
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1')
        const answer = parse(text, request.method === 'HEAD')
        if (answer) resolve(answer)
      })
      socket.on('close', () => resolve(parse(text, true) ?? { status: 0, headers: new Map(), body: text }))
      socket.write(head.join('\r\n'))
      if (request.body !== undefined) socket.write(request.body)
    })
  } finally {
    socket.destroy()
  }
}

function parse(text: string, ended: boolean): RawAnswer | undefined {
  const split = text.indexOf('\r\n\r\n')
  if (split < 0) return undefined
  const [first = '', ...lines] = text.slice(0, split).split('\r\n')
  const headers = new Map(lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]))
  const body = text.slice(split + 4)
  if (!ended && body.length < Number(headers.get('content-length') ?? 0)) return undefined
  return { status: Number(first.split(' ')[1]), headers, body }
}
