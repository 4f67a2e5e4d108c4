// The host's own log: stderr on the command line and in the web shell, a file in Electron. It holds no secret and no token.
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

/** Escapes control characters, since a message may quote a server: no line breaks, no terminal codes. */
const oneLine = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (found) => `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`)
