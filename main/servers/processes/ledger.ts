// The ledger of the processes that this host has started, in a file of its own in the data folder (`processes/`), and what
// is to be done about the files of hosts that are gone: what they left behind is ended, and the file removed. It is the
// second net under the guard, for when the guard was killed as well. Nothing is flushed to the disk: what a flush guards
// against, the loss of power, ends the processes too. A file that cannot be written costs a warning, never a start.
import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '#main/base/log.ts'
import { type LedgerLine, ledgerLine, parseLedger } from './ledger-file.ts'
import { type LedgerSystem, systemOf } from './ledger-system.ts'
import type { SendSignal } from './reap.ts'
import { newTag, type ProcessWatch } from './tag.ts'

export interface ProcessLedger extends ProcessWatch {
  /** Resolves when nothing is left of what earlier hosts left behind, or nothing that can be ended. Never rejects. */
  readonly reaped: Promise<void>
  /** Removes the file, unless something that it names is still there. */
  dispose(): void
}

export interface ProcessLedgerOptions {
  readonly dataDir: string
  readonly log: Log
  /** Default: this one's. */
  readonly system?: LedgerSystem
  readonly signal?: SendSignal
  /** Milliseconds from SIGTERM to SIGKILL for what was left behind. */
  readonly grace?: number
}

const suffix = '.jsonl'

export function createProcessLedger(options: ProcessLedgerOptions): ProcessLedger {
  const { dataDir, log } = options
  const system = options.system ?? systemOf(process.platform, options)
  const folder = join(dataDir, 'processes')
  const path = join(folder, `${newTag()}${suffix}`)
  const live = new Set<string>()
  let begun = false
  let failed = false

  const add = (line: LedgerLine): void => {
    try {
      if (!begun) {
        const { start = 0 } = system.began(process.pid, 0) ?? {}
        const host: LedgerLine = { kind: 'host', version: 1, boot: system.boot, pid: process.pid, start }
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        appendFileSync(path, ledgerLine(host), { mode: 0o600 })
        begun = true
      }
      appendFileSync(path, ledgerLine(line))
    } catch (error) {
      if (!failed) log.error('The ledger of processes could not be written; should Assent be killed, servers may be left behind', error)
      failed = true
    }
  }

  return {
    reaped: reapEarlier(folder, path, system, log).catch((error: unknown) =>
      log.error('What an earlier run left behind could not be looked for', error),
    ),
    expect(tag) {
      live.add(tag)
      add({ kind: 'expected', tag })
      const expected = Date.now()
      const timers: NodeJS.Timeout[] = []
      const confirm = (): void => add({ kind: 'seen', tag, at: Date.now() })
      return {
        started(pid) {
          // It may have ended at once.
          const began = system.began(pid, expected)
          if (!began) return
          add({ kind: 'started', tag, pid, ...began })
          timers.push(...system.confirmMs.map((ms) => setTimeout(confirm, ms).unref()))
        },
        ended() {
          for (const timer of timers) clearTimeout(timer)
          if (live.delete(tag)) add({ kind: 'ended', tag })
        },
      }
    },
    dispose() {
      if (live.size === 0) rmSync(path, { force: true })
    },
  }
}

async function reapEarlier(folder: string, own: string, system: LedgerSystem, log: Log): Promise<void> {
  const files = readFolder(folder).map((name) => join(folder, name))
  await Promise.all(
    files.map(async (path) => {
      if (path === own) return
      const text = readFileSync(path, 'utf8')
      const content = parseLedger(text)
      // Its host was killed before it had written anything.
      if (text === '') return rmSync(path, { force: true })
      if (content === undefined) {
        const aside = `${path}.unreadable`
        renameSync(path, aside)
        log.warn(`${path} is no ledger of processes: it is now ${aside}, and what it may have named is left alone.`)
        return
      }
      if (!(await system.isGone(content))) return
      const { found, left } = content.entries.length === 0 ? { found: 0, left: 0 } : await system.reap(content)
      if (found > 0) log.warn(`An earlier run of Assent ended without its servers: ${found} of their processes were ended now.`)
      if (left > 0) log.error(`${left} processes that an earlier run left behind could not be ended`)
      else rmSync(path, { force: true })
    }),
  )
}

function readFolder(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(suffix))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
