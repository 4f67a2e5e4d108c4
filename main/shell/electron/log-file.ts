// The app's log in the profile, since a window has no terminal: written at once, so that a crash does not take the last
// lines along, and kept to two files of limited size.
import { closeSync, mkdirSync, openSync, renameSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Log, streamLog } from '#main/base/host-log.ts'

const largest = 2_000_000

export interface AppLogFile extends Log {
  close(): void
}

/** `echo`: where its lines go as well. A disk that cannot be written costs the log and nothing else. */
export function openLogFile(path: string, options: { readonly echo?: { write(text: string): unknown } } = {}): AppLogFile {
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
      file = undefined // no log is better than no app
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
      close() // the disk is full, say: what matters is reported elsewhere
    }
    if (size > largest) {
      close()
      open()
    }
  }
  open()
  return { ...streamLog({ write }), close }
}
