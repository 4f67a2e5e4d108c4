// Ends what an ended host left behind, and nothing else. A process is the host's when it carries a tag of its ledger and started no
// earlier than recorded; a group leader, exactly then. A group is signalled as a whole only while a process known to be the host's
// is in it, since its id cannot have been reused then.
import { setTimeout as wait } from 'node:timers/promises'
import { orElse } from '#app/or-else.ts'
import type { ProcessTable, TaggedProcess } from '../process-table.ts'
import type { LedgerContent } from './ledger-file.ts'

export type SendSignal = (pid: number, signal: NodeJS.Signals) => boolean

export const sendSignal: SendSignal = (pid, signal) => orElse(() => process.kill(pid, signal), false)

/** Whether the host that wrote this has ended. */
export const isGone = ({ host }: LedgerContent, table: Pick<ProcessTable, 'boot' | 'start'>): boolean =>
  host.boot !== table.boot || table.start(host.pid) !== host.start

/** Selects, among tagged processes, those that this ended host left behind. */
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

/** Ids to signal: groups (negative) that hold a proven process, and each other process by itself. */
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

/** Milliseconds between two looks at the process table. */
const lookMs = 100
/** Rounds of SIGKILL. */
const kills = 10

/** Ends left-over processes, with SIGTERM first. Returns how many were found, and how many remain. */
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
