// The host's own log: to stderr in the command line and web shell, to a file in Electron. Never a secret, never a token.
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
  const write = (level: string, message: string): void => void stream.write(`assent ${level}: ${oneLine(message)}\n`)
  return {
    debug: options.debug ? (message) => write('debug', message) : noop,
    info: (message) => write('info', message),
    warn: (message) => write('warning', message),
    error: (message, error) =>
      write('error', error === undefined ? message : `${message}: ${error instanceof Error ? error.message : String(error)}`),
  }
}

/** A server's words may be part of it: they get neither a line of their own nor a terminal's codes. */
const oneLine = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (found) => `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`)
