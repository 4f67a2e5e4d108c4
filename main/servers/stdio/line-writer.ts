// Writes messages to a server's stdin, one line each and one at a time: while the pipe is full the next waits, so a
// server that does not read costs no more than the messages that callers still wait for.
import type { Writable } from 'node:stream'
import { HostError } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'
import { pieceOf, type Tap } from '../inspector/tap.ts'

export interface LineWriter {
  /** Resolves when there is room for more. Rejects with `server.connection-lost`. */
  write(message: unknown): Promise<void>
  /** Ends the stream; nothing can be written any more. */
  end(): void
  /** The connection is gone: what waits is rejected. */
  fail(): void
}

/** What some programs take for the end of a line. In JSON they stand inside strings only, where an escape says the same. */
const lineBreaks = /[\u0085\u2028\u2029]/g
const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

export function createLineWriter(stream: Writable, onError: (error: HostError) => void, tap?: Tap): LineWriter {
  let last: Promise<void> = Promise.resolve()
  let open = true
  let wake: (() => void) | undefined

  const lost = (cause?: unknown): HostError =>
    new HostError('server.connection-lost', t`The server is not connected any more.`, cause === undefined ? {} : { cause })

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
    if (tap?.on) tap.tell({ direction: 'sent', ...pieceOf(line.slice(0, -1)) })
    if (stream.write(line)) return
    await new Promise<void>((resolve) => {
      wake = resolve
    })
    wake = undefined
    if (!open) throw lost()
  }

  return {
    async write(message) {
      if (!open) throw lost()
      const line = `${JSON.stringify(message).replace(lineBreaks, escaped)}\n`
      const mine = last.then(() => writeLine(line))
      last = mine.catch(() => {}) // Whoever sent it has been told; the next finds out for itself.
      await mine
    },
    end() {
      fail()
      stream.end()
    },
    fail,
  }
}
