// The processes that a server is made of right now, by the one that leads each: from its start until nothing of it is left,
// so also while it agrees on a revision and while it is being ended. A start may take two.
import type { ProcessWatch } from './server-process.ts'

export interface RunningProcesses extends ProcessWatch {
  pids(): readonly number[]
}

export function createRunningProcesses(): RunningProcesses {
  const pids = new Set<number>()
  return {
    expect() {
      let mine: number | undefined
      return {
        started(pid) {
          mine = pid
          pids.add(pid)
        },
        ended() {
          if (mine !== undefined) pids.delete(mine)
        },
      }
    },
    pids: () => [...pids],
  }
}
