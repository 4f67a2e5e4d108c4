import type { ProcessList } from '#app/server/server-activity.ts'
import { readProcessTree } from './list-process-tree.ts'

/** Lists these processes and their descendants. `mask`: arguments may hold secrets. */
export async function listProcesses(pids: readonly number[], mask: (text: string) => string): Promise<ProcessList> {
  if (pids.length === 0) return { kind: 'none' }
  const found = await Promise.all([...new Set(pids)].map((pid) => readProcessTree(pid)))
  if (found.includes(undefined)) return { kind: 'unknown' }
  const processes = found.flatMap((tree) => tree ?? []).map(({ group: _, ...facts }) => ({ ...facts, command: mask(facts.command) }))
  return { kind: 'processes', at: performance.now(), processes }
}
