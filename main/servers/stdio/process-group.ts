// The signals of one server's process tree. On POSIX the server leads a group of its own, so that a wrapper (`npx`,
// `sh -c`) cannot leave the real server behind; what makes itself a group of its own is found by its tag, on Linux. On
// Windows `taskkill /T` walks the tree, which works only while the process at its top is there.
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { system32 } from '#main/base/system32.ts'
import { createProcessTable, statOf } from '../processes/process-table.ts'
import { createStrays, type Strays } from '../processes/strays.ts'

export interface ProcessGroup {
  /** Whether there is a SIGTERM, and a way to find those that outlive their leader. */
  readonly signals: boolean
  terminate(): void
  kill(): void
  /** Whether any process of it is left that we can reach. */
  alive(): boolean
}

/** `tag`: by which those are found that leave the group; without it they are left alone. */
export function processGroup(pid: number, platform: NodeJS.Platform, tag?: string): ProcessGroup {
  if (platform === 'win32') return windowsTree(pid)
  const table = platform === 'linux' ? createProcessTable(platform) : undefined
  return posixGroup(pid, tag !== undefined && table ? createStrays({ tag, group: pid, table }) : noStrays)
}

const noStrays: Strays = { signal() {}, alive: () => false }

function posixGroup(pid: number, strays: Strays): ProcessGroup {
  const signal = (name: NodeJS.Signals | 0): boolean => {
    try {
      return process.kill(-pid, name)
    } catch {
      return false // ESRCH: nobody is left. EPERM: only the dead (macOS) or another user's are; both are out of reach.
    }
  }
  const signalAll = (name: NodeJS.Signals): void => {
    signal(name)
    strays.signal(name)
  }
  return {
    signals: true,
    terminate: () => signalAll('SIGTERM'),
    kill: () => signalAll('SIGKILL'),
    alive: () => (signal(0) && !isAllZombies(pid)) || strays.alive(),
  }
}

/**
 * In a container whose first process reaps late or never, the dead still count as members of their group, and a shutdown
 * would wait for them in vain. Only Linux has such containers, and /proc to tell.
 */
function isAllZombies(pgid: number): boolean {
  if (process.platform !== 'linux') return false
  return readdirSync('/proc').every((name) => !/^\d+$/.test(name) || statOf(Number(name))?.group !== pgid)
}

function windowsTree(pid: number): ProcessGroup {
  const kill = (): void => {
    const taskkill = spawn(system32('taskkill.exe'), ['/PID', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true })
    taskkill.on('error', () => {
      try {
        process.kill(pid)
      } catch {
        // It is gone already.
      }
    })
  }
  return { signals: false, terminate: kill, kill, alive: () => false }
}
