// The signals of one server's process tree. On POSIX the server leads a group of its own, so that a wrapper (`npx`,
// `sh -c`) cannot leave the real server behind; what makes itself a group of its own is out of reach. On Windows
// `taskkill /T` walks the tree, which works only while the process at its top is there.
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

export interface ProcessGroup {
  /** Whether there is a SIGTERM, and a way to find those that outlive their leader. */
  readonly signals: boolean
  terminate(): void
  kill(): void
  /** Whether any process of it is left that we can reach. */
  alive(): boolean
}

export const processGroup = (pid: number, platform: NodeJS.Platform): ProcessGroup =>
  platform === 'win32' ? windowsTree(pid) : posixGroup(pid)

function posixGroup(pid: number): ProcessGroup {
  const signal = (name: NodeJS.Signals | 0): boolean => {
    try {
      return process.kill(-pid, name)
    } catch {
      return false // ESRCH: nobody is left. EPERM: only the dead (macOS) or another user's are; both are out of reach.
    }
  }
  return {
    signals: true,
    terminate: () => void signal('SIGTERM'),
    kill: () => void signal('SIGKILL'),
    alive: () => signal(0) && !isAllZombies(pid),
  }
}

/**
 * In a container whose first process reaps late or never, the dead still count as members of their group, and a shutdown
 * would wait for them in vain. Only Linux has such containers, and /proc to tell.
 */
function isAllZombies(pgid: number): boolean {
  if (process.platform !== 'linux') return false
  return readdirSync('/proc').every((name) => {
    if (!/^\d+$/.test(name)) return true
    const [state, , group] = statOf(name)
    return group !== String(pgid) || state === 'Z' || state === 'X'
  })
}

/** State, parent, group, …: the fields behind the name, which may itself hold spaces and brackets. */
function statOf(pid: string): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return [] // It ended meanwhile.
  }
}

function windowsTree(pid: number): ProcessGroup {
  const kill = (): void => {
    const taskkill = spawn('taskkill', ['/PID', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true })
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
