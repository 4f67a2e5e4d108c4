// The host's own log: stderr on the command line and in the web shell, a file in Electron. It holds no secret and no token. A message may quote
// a server: it stays one line, without terminal codes.
import { closeSync, mkdirSync, openSync, renameSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { escapeHiddenInLine } from '#app/text/hidden-characters.ts'

export interface Log {
  debug(message: string): void
  info(message: string): void
  warn(message: string): void
  error(message: string, error?: unknown): void
}

/** Runs a step whose failure is only logged. */
export function logFailure(log: Pick<Log, 'error'>, failure: string, step: () => void): void {
  try {
    step()
  } catch (error) {
    log.error(failure, error)
  }
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

/** Bytes of a log file, after which another begins; the one before is kept. */
const largest = 2_000_000

/**
 * Opens a log in two files of limited size. Lines are written at once, so that a crash loses none; `echo` gets them too. A disk that cannot
 * be written costs the log and nothing else.
 */
export function openLogFile(
  path: string,
  options: { readonly echo?: { write(text: string): unknown } } = {},
): Log & { readonly close: () => void } {
  let file: number | undefined
  let size = 0
  const open = (): void => {
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
      if (size > largest) {
        renameSync(path, `${path}.1`)
        size = 0
      }
      file = openSync(path, 'a', 0o600)
    } catch {
      file = undefined // The app runs without a log.
    }
  }
  const close = (): void => {
    if (file !== undefined) closeSync(file)
    file = undefined
  }
  const write = (text: string): void => {
    options.echo?.write(text)
    if (file === undefined) return
    try {
      size += writeSync(file, `${new Date().toISOString()} ${text}`)
    } catch {
      close() // The disk is full, say; what matters is reported elsewhere.
    }
    if (size > largest) {
      close()
      open()
    }
  }
  open()
  return { ...streamLog({ write }), close }
}
