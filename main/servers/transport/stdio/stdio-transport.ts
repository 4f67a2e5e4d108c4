// The SDK's `Transport` over a child's stdin and stdout; the SDK's own loses progress, is quadratic on long lines and has no back-pressure.
// The transport owns the pipes, not the process. Messages are written one line at a time: while the pipe is full the next waits.
import type { Readable, Writable } from 'node:stream'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { StdioLimits } from '#main/servers/process/stdio-limits.ts'
import { captureText, type Tap } from '../inspector/wire-tap.ts'
import { createPacedReader } from './paced-reader.ts'

/** Characters that some programs take for the end of a line. JSON has them in strings only, where an escape says the same. */
const lineBreaks = /[\u0085\u2028\u2029]/g
const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

function createLineWriter(stream: Writable, onError: (error: HostError) => void, tap?: Tap) {
  let last: Promise<void> = Promise.resolve()
  let open = true
  let wake: (() => void) | undefined

  const lost = (cause?: unknown): HostError =>
    new HostError('server.connection-lost', t`The server closed the connection.`, cause === undefined ? {} : { cause })

  const fail = (): void => {
    open = false
    wake?.()
  }

  stream.on('drain', () => wake?.())
  stream.on('close', fail)
  stream.on('error', (error) => {
    // An end that both sides know about is no news: only a pipe that breaks while it is in use is reported.
    if (open) onError(lost(error))
    fail()
  })

  const writeLine = async (line: string): Promise<void> => {
    if (!open) throw lost()
    if (tap?.on) tap.tell({ direction: 'sent', ...captureText(line.slice(0, -1)) })
    if (stream.write(line)) return
    await new Promise<void>((resolve) => {
      wake = resolve
    })
    wake = undefined
    if (!open) throw lost()
  }

  return {
    async write(message: unknown): Promise<void> {
      if (!open) throw lost()
      const line = `${JSON.stringify(message).replace(lineBreaks, escaped)}\n`
      const mine = last.then(() => writeLine(line))
      last = mine.catch(() => {}) // Whoever sent it has been told; the next finds out for itself.
      await mine
    },
    end(): void {
      fail()
      stream.end()
    },
    /** The connection is gone: what waits is rejected. */
    fail,
  }
}

export interface StdioTransport extends Transport {
  /** Reads what the stdout of an ended process still holds, also when nobody has started the transport. */
  drain(): void
  /** Reads no more: what was read is handed over, then it closes. */
  cut(): void
  /** No more will be sent; the server reads the end of its stdin. What it still says is handed over. */
  endInput(): void
  readonly backedUp: boolean
  readonly backlog: number
  /** Bytes of stdout so far that are no protocol. */
  readonly stray: number
}

interface StdioTransportOptions {
  readonly stdout: Readable
  readonly stdin: Writable
  readonly limits: Pick<StdioLimits, 'maxLine' | 'maxBacklog'>
  /** Resolves once the process runs; its rejection is that of `start`. */
  readonly ready: Promise<void>
  readonly onOutput: (line: Buffer) => void
  /** Called once: all that was read has been handed over. */
  readonly onEnd: () => void
  /** The client hung up. `close` resolves with it. */
  readonly onClose: () => Promise<unknown>
  readonly tap?: Tap | undefined
}

export function createStdioTransport(options: StdioTransportOptions): StdioTransport {
  let started = false
  let closed = false

  const closeOnce = (): void => {
    if (closed) return
    closed = true
    writer.fail()
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
      onEnd() {
        options.onEnd()
        closeOnce()
      },
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
      if (closed) throw new HostError('server.connection-lost', t`The server closed the connection.`)
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
    get stray() {
      return reader.stray
    },
  }
  return transport
}
