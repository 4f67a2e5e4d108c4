// The processes of one server as they are at this moment: what it started as, and all that came of it: its children and
// theirs, the rest of its process group, and (on Linux) whatever carries its tag though it has left both. Linux tells by
// /proc, other POSIX systems by `ps`, Windows by its PowerShell, which takes a second, so that a look is shared.
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { createProcessTable, statOf } from './process-table.ts'
import { type ListWindows, listWindows, withLivingParents } from './windows-process-table.ts'

export interface ProcessFacts {
  readonly pid: number
  readonly parent: number
  readonly group: number
  /** With the id, one process; in a unit of the system's own. */
  readonly start: number
  readonly command: string
  /** Bytes of memory that are its own or shared (resident). */
  readonly memory: number
  /** Milliseconds of processor time since it began. */
  readonly cpuMs: number
}

/** More than a page can show. */
const maxProcesses = 200
const maxCommand = 500

/** On Windows a look is as good as new for so many milliseconds. */
const freshMs = 5000
let lastLook: { readonly list: ListWindows; readonly at: number; readonly all: Promise<Listed[] | undefined> } | undefined

const lookOnWindows = async (list: ListWindows): Promise<Listed[] | undefined> => {
  try {
    return withLivingParents(await list()).map((one) => ({ ...one, command: short(one.command), group: 0 }))
  } catch {
    return undefined // There is no PowerShell, or it may not be used.
  }
}

/** The leader first, each after its parent. Empty: it is gone. Undefined: this system does not tell. */
export async function readProcessTree(
  pid: number,
  platform: NodeJS.Platform = process.platform,
  list: ListWindows = listWindows,
): Promise<ProcessFacts[] | undefined> {
  if (platform === 'win32') {
    if (lastLook?.list !== list || performance.now() - lastLook.at > freshMs)
      lastLook = { list, at: performance.now(), all: lookOnWindows(list) }
    const all = await lastLook.all
    return all && treeOf(pid, all)
  }
  if (platform !== 'linux') return treeOf(pid, await listByPs())
  const tagged = createProcessTable('linux')?.tagged() ?? []
  const tag = tagged.find((one) => one.pid === pid)?.tag
  const strays = tag === undefined ? [] : tagged.filter((one) => one.tag === tag).map((one) => one.pid)
  return treeOf(pid, listProc(), new Set(strays)).map(withProcDetails)
}

interface Listed extends ProcessFacts {
  readonly command: string
}

/** Pure: those of `all` that belong to the process `pid`, in the order of a tree; at most 200. */
export function treeOf(pid: number, all: readonly Listed[], more: ReadonlySet<number> = new Set()): ProcessFacts[] {
  const byPid = new Map(all.map((one) => [one.pid, one]))
  const leader = byPid.get(pid)
  // A group is led by the process of its number; another's group is not ours to tell of.
  const own = new Set(all.filter((one) => one.pid === pid || one.group === pid || more.has(one.pid)).map((one) => one.pid))
  const children = Map.groupBy(all, ({ parent }) => parent)
  const reach = (from: number): void => {
    for (const child of children.get(from) ?? []) {
      if (own.has(child.pid)) continue
      own.add(child.pid)
      reach(child.pid)
    }
  }
  for (const each of [...own]) reach(each)
  const ordered: ProcessFacts[] = []
  const walk = (one: ProcessFacts): void => {
    if (!own.delete(one.pid)) return
    ordered.push(one)
    for (const child of children.get(one.pid) ?? []) walk(child)
  }
  if (leader) walk(leader)
  // Those whose parent is gone, or is not the server's.
  for (const one of all) if (own.has(one.pid) && !own.has(one.parent)) walk(one)
  return ordered.slice(0, maxProcesses)
}

/** The unit of times in /proc, sysconf(_SC_CLK_TCK): 100 wherever Linux runs Node. */
const ticksASecond = 100

/** All processes, by proc_pid_stat(5), with their ids and times only. */
function listProc(): Listed[] {
  return readdirSync('/proc').flatMap((name) => {
    const pid = /^\d+$/.test(name) ? Number(name) : 0
    const text = pid === 0 ? '' : read(`/proc/${pid}/stat`)
    const known = text === '' ? undefined : statOf(pid)
    if (!known) return []
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const cpuMs = ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksASecond
    return [{ pid, parent: Number(fields[1]), group: known.group, start: known.start, command: '', memory: 0, cpuMs }]
  })
}

function withProcDetails(facts: ProcessFacts): ProcessFacts {
  const status = read(`/proc/${facts.pid}/status`)
  const field = (name: string): string => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1] ?? ''
  const line = read(`/proc/${facts.pid}/cmdline`).replace(/\0+$/, '').replaceAll('\0', ' ')
  return { ...facts, command: short(line || field('Name')), memory: Number.parseInt(field('VmRSS') || '0', 10) * 1024 }
}

const short = (command: string): string => (command.length > maxCommand ? `${command.slice(0, maxCommand)}…` : command)

/** Empty for what has ended meanwhile. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

export async function listByPs(): Promise<Listed[]> {
  const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
  const columns = 'pid=,ppid=,pgid=,rss=,time=,stat=,lstart=,command='
  const { stdout } = await promisify(execFile)('ps', ['-A', '-ww', '-o', columns], { env, maxBuffer: 64 * 1024 * 1024 })
  return stdout.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(-?\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(\S+ +\S+ +\S+ +\S+ +\d{4})\s+(.*)$/.exec(line)
    if (!match || match[6]?.startsWith('Z')) return []
    const [, pid, parent, group, kilobytes, time = '', , start = '', command = ''] = match
    const facts = { pid: Number(pid), parent: Number(parent), group: Number(group), start: Date.parse(`${start} UTC`) / 1000 }
    return [{ ...facts, command: short(command), memory: Number(kilobytes) * 1024, cpuMs: millisecondsOf(time) }]
  })
}

/** `[[days-]hours:]minutes:seconds[.hundredths]` */
export function millisecondsOf(time: string): number {
  const [, days = '0', clock = ''] = /^(?:(\d+)-)?([\d:.]+)$/.exec(time) ?? []
  const seconds = clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
  return Math.round((Number(days) * 86_400 + seconds) * 1000)
}
