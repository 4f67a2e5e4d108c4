// Ends what a host that is gone has left behind, and nothing else. A process is its own when it carries a tag of that host's
// ledger and did not begin before what the ledger says; the leader of a group began exactly then. A group as a whole is
// signalled only while a process that is known to be ours is in it: its number cannot have been given to another then.
import { setTimeout as wait } from 'node:timers/promises'
import type { ProcessTable, TaggedProcess } from '../process-table.ts'
import type { LedgerContent } from './ledger-file.ts'

/** Returns whether there was such a process. A negative `pid` is a group, as for kill(2). */
export type SendSignal = (pid: number, signal: NodeJS.Signals) => boolean

export const sendSignal: SendSignal = (pid, signal) => {
  try {
    return process.kill(pid, signal)
  } catch {
    return false // It has ended meanwhile, or is another user's.
  }
}

/** Whether the host that wrote this has ended. */
export const isGone = ({ host }: LedgerContent, table: Pick<ProcessTable, 'boot' | 'start'>): boolean =>
  host.boot !== table.boot || table.start(host.pid) !== host.start

/** Of all that carry a tag, those that this host, which has ended, left behind. */
export function leftBehind({ host, entries }: LedgerContent, boot: string, tagged: readonly TaggedProcess[]): TaggedProcess[] {
  if (host.boot !== boot) return [] // They ended with the machine.
  const byTag = new Map(entries.map((entry) => [entry.tag, entry]))
  return tagged.filter((found) => {
    const entry = byTag.get(found.tag)
    if (entry === undefined || found.pid === process.pid) return false
    const { leader } = entry
    if (leader === undefined) return found.start >= host.start
    return found.pid === leader.pid ? found.start === leader.start : found.start >= leader.start
  })
}

/** Whom to signal: groups (negative) that a process of ours is the proof of, and each of the others by itself. */
export function targets({ entries }: LedgerContent, found: readonly TaggedProcess[]): number[] {
  const leaders = new Map(entries.map((entry) => [entry.tag, entry.leader?.pid]))
  return [...new Set(found.map(({ pid, group, tag }) => (group === leaders.get(tag) ? -group : pid)))]
}

interface ReapOptions {
  readonly table: ProcessTable
  readonly signal?: SendSignal
  /** Milliseconds from SIGTERM to SIGKILL. */
  readonly grace?: number
}

/** Looks at a process table cost a few milliseconds each. */
const lookMs = 100
/** So often it is killed what is still there, or came since. */
const kills = 10

/** How many processes were found, and how many of them would not end. */
export async function reap(content: LedgerContent, options: ReapOptions): Promise<{ readonly found: number; readonly left: number }> {
  const { table, signal = sendSignal, grace = 2000 } = options
  const look = (): TaggedProcess[] => leftBehind(content, table.boot, table.tagged())
  let now = look()
  const seen = new Set(now.map(({ pid }) => pid))
  const send = (name: NodeJS.Signals): void => {
    for (const { pid } of now) seen.add(pid)
    for (const target of targets(content, now)) signal(target, name)
  }
  if (now.length === 0) return { found: 0, left: 0 }
  send('SIGTERM')
  for (let waited = 0; now.length > 0 && waited < grace; waited += lookMs) {
    await wait(lookMs)
    now = look()
  }
  for (let n = 0; now.length > 0 && n < kills; n += 1) {
    send('SIGKILL')
    await wait(lookMs)
    now = look()
  }
  return { found: seen.size, left: now.length }
}
