// What a server started and what then left its process group (setsid, a double fork): found by the tag that it inherited,
// and ended one by one. All of /proc is looked through for it, a few milliseconds, and only at a stop or an exit.
import type { ProcessTable, TaggedProcess } from './process-table.ts'
import { type SendSignal, sendSignal } from './reap.ts'

export interface Strays {
  signal(name: NodeJS.Signals): void
  /** Whether there are any; those that came since the last signal get it now. */
  alive(): boolean
}

export function createStrays(options: {
  readonly tag: string
  /** Its group: who is in there needs no looking for. */
  readonly group: number
  readonly table: Pick<ProcessTable, 'start' | 'tagged'>
  readonly send?: SendSignal
}): Strays {
  const { table, send = sendSignal } = options
  let known: readonly TaggedProcess[] = []
  let sent: NodeJS.Signals | undefined

  const look = (): void => {
    known = table.tagged().filter(({ tag, group }) => tag === options.tag && group !== options.group)
    if (sent !== undefined) for (const { pid } of known) send(pid, sent)
  }

  return {
    signal(name) {
      sent = name
      look()
    },
    alive() {
      if (!known.some(({ pid, start }) => table.start(pid) === start)) look()
      return known.length > 0
    },
  }
}
