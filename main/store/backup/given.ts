// Backups on their way out to a page, whose machine need not be the host's. A page asks over its link and gets a ticket: it opens
// that one file, once, within a minute. Only what the list shows can be asked for, so no path of the host's disk is read for a page.
import { randomBytes } from 'node:crypto'
import { createReadStream, fstatSync, openSync } from 'node:fs'
import { basename } from 'node:path'
import type { Readable } from 'node:stream'
import type { Clock } from '#main/base/clock.ts'
import { findBackups } from './find-backups.ts'
import { gone } from './received.ts'

const GOOD_FOR_MS = 60_000
const MOST_TICKETS = 16

export interface GivenBackup {
  /** Of plain characters. */
  readonly name: string
  readonly bytes: number
  /** Whoever takes it reads it to its end, or destroys it. */
  readonly content: Readable
}

export interface GivenBackups {
  /** Throws `backup.gone`. */
  offer(path: string): string
  /** Undefined: no ticket of ours, an old or a used one, or the file went meanwhile. */
  take(ticket: string): GivenBackup | undefined
}

export function createGivenBackups(database: string, clock: Clock): GivenBackups {
  const offered = new Map<string, { readonly path: string; readonly until: number }>()
  return {
    offer(path) {
      if (!findBackups(database).some((found) => found.path === path)) throw gone()
      const [oldest] = offered.keys()
      if (offered.size >= MOST_TICKETS && oldest !== undefined) offered.delete(oldest)
      const ticket = randomBytes(32).toString('base64url')
      offered.set(ticket, { path, until: clock.now() + GOOD_FOR_MS })
      return ticket
    },
    take(ticket) {
      const found = offered.get(ticket)
      offered.delete(ticket)
      return found && clock.now() <= found.until ? readable(found.path) : undefined
    },
  }
}

function readable(path: string): GivenBackup | undefined {
  try {
    const fd = openSync(path, 'r')
    const bytes = fstatSync(fd).size
    const name = basename(path).replaceAll(/[^\w.-]/g, '_')
    return { name, bytes, content: createReadStream(path, { fd, start: 0, end: bytes - 1 }) }
  } catch {
    return undefined // It went since it was offered.
  }
}
