// The SDK's `Transport` over a child's stdin and stdout; the SDK's own loses progress, is quadratic on long lines and
// knows no back-pressure. Owns the two pipes, not the process: that is told through `onClose` when the client hangs up.
import type { Readable, Writable } from 'node:stream'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { HostError } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'
import type { Tap } from '../inspector/tap.ts'
import type { StdioLimits } from './limits.ts'
import { createLineWriter } from './line-writer.ts'
import { createPacedReader } from './paced-reader.ts'

export interface StdioTransport extends Transport {
  /** The process has ended: reads what its stdout still holds, also when nobody has started the transport. */
  drain(): void
  /** Reads no more: what was read is handed over, then it closes. */
  cut(): void
  /** No more will be sent; the server reads the end of its stdin. What it still says is handed over. */
  endInput(): void
  /** Whether what was read has not yet been handed over, so that stdout is paused. */
  readonly backedUp: boolean
  /** Bytes read and not yet handed over. */
  readonly backlog: number
}

export interface StdioTransportOptions {
  readonly stdout: Readable
  readonly stdin: Writable
  readonly limits: Pick<StdioLimits, 'maxLine' | 'maxBacklog'>
  /** Resolves once the process runs; its rejection is that of `start`. */
  readonly ready: Promise<void>
  /** A line of stdout that is not protocol. */
  readonly onOutput: (line: Buffer) => void
  /** Once: all that was read has been handed over, or nobody listens any more. */
  readonly onEnd: () => void
  /** The client hung up. `close` resolves with it. */
  readonly onClose: () => Promise<unknown>
  /** Told of each line, as it goes over the pipes. */
  readonly tap?: Tap | undefined
}

export function createStdioTransport(options: StdioTransportOptions): StdioTransport {
  let started = false
  let closed = false

  const closeOnce = (): void => {
    if (closed) return
    closed = true
    writer.fail()
    options.onEnd()
    transport.onclose?.()
  }

  const report = (error: unknown): void => transport.onerror?.(error instanceof Error ? error : new Error(String(error)))

  const writer = createLineWriter(options.stdin, report, options.tap)
  const reader = createPacedReader(
    options.stdout,
    options.limits,
    {
      onMessage(message) {
        try {
          if (!closed) transport.onmessage?.(message)
        } catch (error) {
          report(error)
        }
      },
      onOutput: options.onOutput,
      onError: report,
      onEnd: closeOnce,
    },
    options.tap,
  )

  const startReading = (): void => {
    if (started) return
    started = true
    reader.start()
  }

  const transport: StdioTransport = {
    async start() {
      await options.ready
      if (closed) throw new HostError('server.connection-lost', t`The server ended before the connection was made.`)
      startReading()
    },
    send: (message: JSONRPCMessage) => writer.write(message),
    async close() {
      reader.discard()
      closeOnce()
      await options.onClose()
    },
    drain: startReading,
    cut() {
      startReading()
      reader.cut()
    },
    endInput: () => writer.end(),
    get backedUp() {
      return !closed && reader.backedUp
    },
    get backlog() {
      return reader.backlog
    },
  }
  return transport
}
