// A page's WebSocket without a page: the attacks on the link say what no page would.
import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { Fixture } from './web-shell-fixture.ts'

/** What the host did with a socket: every frame that it sent, and how it closed it. */
interface Fate {
  readonly frames: readonly { readonly kind: string }[]
  readonly code: number
  readonly reason: string
}

/** Open, with the right cookie, and no word said. */
export async function openSilent({ port, cookie }: Pick<Fixture, 'port' | 'cookie'>): Promise<WebSocket> {
  const origin = `http://127.0.0.1:${port}`
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/link`, { headers: { Cookie: cookie, Origin: origin } })
  await once(socket, 'open')
  return socket
}

/** As a page opens it: the host has welcomed its key. */
export async function openWelcome(fixture: Pick<Fixture, 'port' | 'cookie' | 'key'>): Promise<WebSocket> {
  const socket = await openSilent(fixture)
  socket.send(JSON.stringify({ kind: 'hello', key: fixture.key }))
  await once(socket, 'message')
  return socket
}

/** Resolves when the host has closed it. */
export function fateOf(socket: WebSocket): Promise<Fate> {
  const frames: { kind: string }[] = []
  socket.on('error', () => {})
  socket.on('message', (data) => frames.push(JSON.parse(String(data)) as { kind: string }))
  return new Promise((resolve) => socket.on('close', (code, reason) => resolve({ frames, code, reason: String(reason) })))
}
