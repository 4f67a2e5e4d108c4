// Leaders of a server's running processes, from their start until nothing of them is left. A start may take two.
export type RunningProcesses = ReturnType<typeof createRunningProcesses>

export function createRunningProcesses() {
  const pids = new Set<number>()
  return {
    expect() {
      let mine: number | undefined
      return {
        started(pid: number): void {
          mine = pid
          pids.add(pid)
        },
        ended(): void {
          if (mine !== undefined) pids.delete(mine)
        },
      }
    },
    pids: (): readonly number[] => [...pids],
  }
}
