// What is ended on Windows at the next start. It shows nobody the environment of a process, so a tag proves nothing there;
// times do. The ledger says when a server was started, and at moments since that it still ran: at each of them its number
// was its own. So a process of that number which began just then is the server; and one whose parent had that number and
// which began no later than the last such moment is a child of it, also when the server itself is gone (Node's own job
// takes it along with the host, but none of its children). Children of those that are there still are theirs. Whatever
// else there is stays: better one left behind than a stranger's ended. Never run on Windows.
import { setTimeout as wait } from 'node:timers/promises'
import type { LedgerContent } from './ledger-file.ts'
import type { LedgerSystem } from './ledger-system.ts'
import { sendSignal } from './reap.ts'
import { type ListWindows, listWindows, type WindowsProcess } from './windows-table.ts'

/** The clock of a process's beginning moves in steps of so many milliseconds. */
const stepMs = 20

/** Whether nobody is left with the host's number who was there when it wrote. */
export const isGoneOnWindows = ({ host }: LedgerContent, all: readonly WindowsProcess[]): boolean =>
  !all.some(({ pid, start }) => pid === host.pid && start <= host.start + stepMs)

/** Pure. */
export function leftBehindOnWindows({ entries }: LedgerContent, all: readonly WindowsProcess[]): WindowsProcess[] {
  const byParent = Map.groupBy(all, ({ parent }) => parent)
  const ours = new Map<number, WindowsProcess>()
  const take = (one: WindowsProcess): void => {
    if (ours.has(one.pid) || one.pid === process.pid) return
    ours.set(one.pid, one)
    for (const child of byParent.get(one.pid) ?? []) if (child.start >= one.start) take(child)
  }
  for (const { leader, seen } of entries) {
    if (leader?.from === undefined) continue
    const from = leader.from - stepMs
    for (const one of all) if (one.pid === leader.pid && one.start >= from && one.start <= leader.start) take(one)
    for (const child of byParent.get(leader.pid) ?? []) if (child.start >= from && child.start <= (seen ?? leader.start)) take(child)
  }
  return [...ours.values()]
}

const lookMs = 200
const kills = 5

export function windowsSystem(
  options: { readonly list?: ListWindows; readonly end?: (pid: number) => boolean; readonly now?: () => number } = {},
): LedgerSystem {
  const { list = listWindows, end = (pid) => sendSignal(pid, 'SIGKILL'), now = Date.now } = options
  return {
    boot: '', // Times of day need none to be told apart.
    confirmMs: [5000, 60_000],
    began: (_pid, expected) => ({ start: now(), from: expected }),
    isGone: async (content) => isGoneOnWindows(content, await list()),
    async reap(content) {
      let left = leftBehindOnWindows(content, await list())
      const seen = new Set(left.map(({ pid }) => pid))
      for (let n = 0; n < kills && left.length > 0; n += 1) {
        for (const { pid } of left) end(pid)
        await wait(lookMs)
        left = leftBehindOnWindows(content, await list())
        for (const { pid } of left) seen.add(pid)
      }
      return { found: seen.size, left: left.length }
    },
  }
}
