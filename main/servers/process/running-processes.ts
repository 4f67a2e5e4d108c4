// Leaders of a server's running processes, from their start until nothing of them is left. A start may take two.
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
