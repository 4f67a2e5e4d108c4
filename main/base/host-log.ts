// The host's own log: stderr on the command line and in the web shell, a file in Electron. It holds no secret and no token. A message may quote
// a server: it stays one line, without terminal codes.
import { escapeHiddenInLine } from '#app/text/hidden-characters.ts'

export interface Log {
  debug(message: string): void
  info(message: string): void
  warn(message: string): void
  error(message: string, error?: unknown): void
}

const noop = (): void => {}
export const silentLog: Log = { debug: noop, info: noop, warn: noop, error: noop }

/** Lines on a stream. `debug` lines only when asked for. */
export function streamLog(stream: { write(text: string): unknown }, options: { debug?: boolean } = {}): Log {
  const write = (level: string, message: string): void => void stream.write(`assent ${level}: ${escapeHiddenInLine(message)}\n`)
  return {
    debug: options.debug ? (message) => write('debug', message) : noop,
    info: (message) => write('info', message),
    warn: (message) => write('warning', message),
    error: (message, error) =>
      write('error', error === undefined ? message : `${message}: ${error instanceof Error ? error.message : String(error)}`),
  }
}
