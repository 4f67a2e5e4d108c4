// The app's log in the profile. Lines are written at once, so that a crash loses none, into two files of limited size.
import { closeSync, mkdirSync, openSync, renameSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Log, streamLog } from '#main/base/host-log.ts'

const largest = 2_000_000

/** Opens the log. `echo` gets its lines too. A disk that cannot be written costs the log and nothing else. */
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
