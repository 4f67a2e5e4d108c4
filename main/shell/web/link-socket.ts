// One page's WebSocket: request frames in, responses and events out. A page that does not read what it is sent is let
// go before it can fill the memory; it comes back and asks for a snapshot. What does not parse closes the socket.
import type { WebSocket } from 'ws'
import { type HostFrame, requestFrame } from '#app/contract/link.ts'
import { toErrorValue } from '#app/errors.ts'
import type { Log } from '#main/base/log.ts'
import type { Host } from '#main/host.ts'

/** The longest text in the contract is 2,000,000 characters, which JSON may write as six bytes each. */
export const LARGEST_FRAME = 16_000_000
const MOST_UNSENT_EVENT_BYTES = 8_000_000
const MOST_OPEN_REQUESTS = 256

export function serveLink(socket: WebSocket, host: Pick<Host, 'request' | 'onEvent'>, log: Log): void {
  let openRequests = 0
  let unsentEventBytes = 0

  const send = (frame: HostFrame, onSent?: () => void): number => {
    if (socket.readyState !== socket.OPEN) return 0
    const text = JSON.stringify(frame)
    socket.send(text, onSent)
    return text.length
  }

  const stopEvents = host.onEvent((event) => {
    if (unsentEventBytes > MOST_UNSENT_EVENT_BYTES) {
      log.warn('A page did not keep up and was disconnected; it will connect again.')
      stopEvents()
      return socket.terminate()
    }
    const bytes = send({ kind: 'event', event }, () => {
      unsentEventBytes -= bytes
    })
    unsentEventBytes += bytes
  })

  async function answer(id: number, name: string, params: unknown): Promise<void> {
    openRequests += 1
    try {
      send({ kind: 'response', id, result: await host.request(name, params) })
    } catch (error) {
      const value = toErrorValue(error)
      if (value.code === 'internal') log.error(`${name} failed`, error)
      send({ kind: 'failure', id, error: value })
    } finally {
      openRequests -= 1
    }
  }

  socket.on('message', (data, isBinary) => {
    const frame = isBinary ? undefined : parseFrame(String(data))
    if (!frame) return socket.close(1008, 'not a frame of this host')
    if (openRequests >= MOST_OPEN_REQUESTS) return socket.close(1008, 'too many requests at once')
    void answer(frame.id, frame.name, frame.params)
  })
  socket.on('close', stopEvents)
  // A frame over the limit or a broken one: `ws` closes the socket by itself.
  socket.on('error', (error) => log.debug(`A page's socket failed: ${error.message}`))
}

function parseFrame(text: string): ReturnType<typeof requestFrame.parse> | undefined {
  try {
    return requestFrame.parse(JSON.parse(text))
  } catch {
    // Not JSON, or not a request: the caller closes the socket.
    return undefined
  }
}
