// The WebSocket of one client, a page or a joined command: a hello with its key first, then request frames in, responses and events out.
// Before a valid hello nothing is answered or sent, and there is one try. A client that does not read its events is disconnected before they
// fill the memory; a page connects again with a snapshot. A frame that does not parse closes the socket.
import type { WebSocket } from 'ws'
import type { HostEvent } from '#app/contract/events.ts'
import { type HelloFrame, type HostFrame, helloFrame, refusedHello, requestFrame } from '#app/contract/host-connection.ts'
import { toErrorValue } from '#app/errors.ts'
import { orElse } from '#app/or-else.ts'
import type { Clock } from '#main/base/clock.ts'
import type { Log } from '#main/base/host-log.ts'
import type { Host } from '#main/host.ts'

/** The longest text in the contract is 2,000,000 characters, which JSON may write as six bytes each. */
export const LARGEST_FRAME = 16_000_000
const MOST_UNSENT_EVENT_BYTES = 8_000_000
const MOST_OPEN_REQUESTS = 256
/** Timeout of the hello, which a page sends as soon as its socket is open. */
const HELLO_WITHIN_MS = 5000

export interface ClientSocketOptions {
  /** Host, which may still load; requests wait for it. */
  readonly host: () => Promise<Pick<Host, 'request' | 'onEvent'>>
  readonly log: Log
  readonly clock: Clock
  readonly opens: (key: string) => boolean
  readonly onWelcome: () => void
}

/** `refused`: closing; frames that still arrive are ignored. */
type Standing = 'stranger' | 'welcome' | 'refused'

export function serveClientSocket(socket: WebSocket, { host, log, clock, opens, onWelcome }: ClientSocketOptions): void {
  let standing: Standing = 'stranger'
  let openRequests = 0
  let unsentEventBytes = 0
  let stopEvents = (): void => {}

  const send = (frame: HostFrame, onSent?: () => void): number => {
    if (socket.readyState !== socket.OPEN) return 0
    const text = JSON.stringify(frame)
    socket.send(text, onSent)
    return text.length
  }

  const tell = (event: HostEvent): void => {
    if (unsentEventBytes > MOST_UNSENT_EVENT_BYTES) {
      log.warn('A client did not keep up and was disconnected.')
      stopEvents()
      socket.terminate()
      return
    }
    const bytes = send({ kind: 'event', event }, () => {
      unsentEventBytes -= bytes
    })
    unsentEventBytes += bytes
  }

  function refuse(code: number, reason: string): void {
    standing = 'refused'
    stopEvents()
    socket.close(code, reason)
  }

  const stopWaiting = clock.after(HELLO_WITHIN_MS, () => refuse(1008, 'no hello in time'))

  function greet(hello: HelloFrame | undefined): void {
    stopWaiting()
    if (!hello || !opens(hello.key)) {
      refuse(refusedHello.code, refusedHello.reason)
      return
    }
    standing = 'welcome'
    onWelcome()
    host().then(
      ({ onEvent }) => {
        if (standing !== 'welcome' || socket.readyState !== socket.OPEN) return
        send({ kind: 'welcome' })
        stopEvents = onEvent(tell)
      },
      () => refuse(1011, 'the host did not start'),
    )
  }

  async function answer(id: number, name: string, params: unknown): Promise<void> {
    openRequests += 1
    try {
      send({ kind: 'response', id, result: await (await host()).request(name, params) })
    } catch (error) {
      const value = toErrorValue(error)
      if (value.code === 'internal') log.error(`${name} failed`, error)
      send({ kind: 'failure', id, error: value })
    } finally {
      openRequests -= 1
    }
  }

  socket.on('message', (data, isBinary) => {
    if (standing === 'refused') return
    const text = isBinary ? '' : String(data)
    if (standing === 'stranger') return greet(parse(helloFrame, text))
    const frame = parse(requestFrame, text)
    if (!frame) return refuse(1008, 'not a frame of this host')
    if (openRequests >= MOST_OPEN_REQUESTS) return refuse(1008, 'too many requests at once')
    void answer(frame.id, frame.name, frame.params)
  })
  socket.on('close', () => {
    stopWaiting()
    stopEvents()
  })
  // `ws` closes the socket itself after a broken frame or one over the limit.
  socket.on('error', (error) => log.debug(`A client's socket failed: ${error.message}`))
}

/** Undefined: not JSON, or not this frame. */
const parse = <Frame>(schema: { parse(value: unknown): Frame }, text: string): Frame | undefined =>
  orElse(() => schema.parse(JSON.parse(text)), undefined)
