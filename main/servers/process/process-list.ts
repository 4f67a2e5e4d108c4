import type { ProcessList } from '#app/server/server-activity.ts'
import { readProcessTree } from './process-tree.ts'

/** These processes with all that they started. `mask`: their arguments may hold what a server was given in confidence. */
export async function listProcesses(pids: readonly number[], mask: (text: string) => string): Promise<ProcessList> {
  if (pids.length === 0) return { kind: 'none' }
  const found = await Promise.all([...new Set(pids)].map((pid) => readProcessTree(pid)))
  if (found.includes(undefined)) return { kind: 'unknown' }
  const processes = found.flatMap((tree) => tree ?? []).map(({ group: _, ...facts }) => ({ ...facts, command: mask(facts.command) }))
  return { kind: 'processes', at: performance.now(), processes }
}
