// The program behind a connection of `assent mcp`, as the operating system tells. On Linux the host names a file to this connection alone;
// the process that has it open is the one that speaks, and /proc tells its folder and who started it. Elsewhere nothing can be told.
import { randomBytes } from 'node:crypto'
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { RequestAgent } from '#app/gate.ts'
import { orElse } from '#app/or-else.ts'

/** Programs that only start another: who started them is meant. */
const launchers = new Set(['sh', 'dash', 'bash', 'zsh', 'fish', 'env', 'busybox'])
const mostLaunchers = 5

type KnownProcess = Pick<RequestAgent, 'program' | 'folder' | 'verified'>

/** File that the peer shows to be open. `folder`: only this account can enter it. */
export interface ProcessProof {
  readonly path: string
  /** Reads what the system tells of the process that has the file open; undefined: that process has not. */
  read(pid: number): KnownProcess | undefined
  remove(): void
}

/** Undefined where the system does not tell. */
export function createProcessProof(folder: string | undefined, system = process.platform): ProcessProof | undefined {
  if (system !== 'linux' || folder === undefined) return undefined
  const path = join(folder, `peer-${randomBytes(16).toString('hex')}`)
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch {
    return undefined // The folder is gone: the host is closing.
  }
  return {
    path,
    read: (pid) => (hasOpen(pid, path) ? { ...processOf(pid), verified: true } : undefined),
    remove: () => rmSync(path, { force: true }),
  }
}

function hasOpen(pid: number, path: string): boolean {
  const folder = `/proc/${pid}/fd`
  return orElse(() => readdirSync(folder), [] as string[]).some((name) => orElse(() => readlinkSync(join(folder, name)), '') === path)
}

function processOf(pid: number): Pick<KnownProcess, 'program' | 'folder'> {
  const folder = orElse(() => readlinkSync(`/proc/${pid}/cwd`), undefined)
  let parent = parentOf(pid)
  for (let at = 0; at < mostLaunchers && parent > 1 && launchers.has(basename(programOf(parent) ?? '')); at += 1) parent = parentOf(parent)
  const program = parent > 1 ? programOf(parent) : undefined
  return { ...(folder === undefined ? {} : { folder }), ...(program === undefined ? {} : { program }) }
}

const programOf = (pid: number): string | undefined => orElse(() => readlinkSync(`/proc/${pid}/exe`), undefined)

/** Parent in /proc/PID/stat, whose second field is a name in parentheses that may hold any character (proc_pid_stat(5)). */
function parentOf(pid: number): number {
  const stat = orElse(() => readFileSync(`/proc/${pid}/stat`, 'latin1'), '')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0)
}
