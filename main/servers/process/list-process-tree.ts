// Current processes of a server: descendants, the rest of its process group and, on Linux, whatever carries its tag. Linux reads
// /proc, other POSIX systems `ps`; Windows runs PowerShell, which takes a second, so its result is shared.
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { promisify } from 'node:util'
import type { ProcessList, ProcessSummary } from '#app/server/server-activity.ts'
import { createProcessTable, psOptions, readProc, secondsOf, statOf } from './process-table.ts'
import { type ListWindows, listWindows, withLivingParents } from './windows-process-table.ts'

/** `start` is in a unit of the system; with the id it names one process. */
export type ProcessFacts = Readonly<ProcessSummary> & { readonly group: number }

/** Lists these processes and their descendants. `mask`: arguments may hold secrets. */
export async function listProcesses(pids: readonly number[], mask: (text: string) => string): Promise<ProcessList> {
  if (pids.length === 0) return { kind: 'none' }
  const found = await Promise.all([...new Set(pids)].map((pid) => readProcessTree(pid)))
  if (found.includes(undefined)) return { kind: 'unknown' }
  const processes = found.flatMap((tree) => tree ?? []).map(({ group: _, ...facts }) => ({ ...facts, command: mask(facts.command) }))
  return { kind: 'processes', at: performance.now(), processes }
}

const maxProcesses = 200
const maxCommand = 500

const freshMs = 5000
let lastLook: { readonly list: ListWindows; readonly at: number; readonly all: Promise<ProcessFacts[] | undefined> } | undefined

const lookOnWindows = (list: ListWindows): Promise<ProcessFacts[] | undefined> =>
  list().then(
    (all) => withLivingParents(all).map((one) => ({ ...one, command: short(one.command), group: 0 })),
    () => undefined,
  )

/** Reads the processes of a server: the leader first, each after its parent. Empty: it has ended. Undefined: the system does not tell. */
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

/** Selects the processes that belong to `pid`, in tree order, at most 200. Pure. */
export function treeOf(pid: number, all: readonly ProcessFacts[], more: ReadonlySet<number> = new Set()): ProcessFacts[] {
  const byPid = new Map(all.map((one) => [one.pid, one]))
  const leader = byPid.get(pid)
  // A group has the id of its leader; other groups are not the server's.
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
  // Processes whose parent has ended, or is not the server's.
  for (const one of all) if (own.has(one.pid) && !own.has(one.parent)) walk(one)
  return ordered.slice(0, maxProcesses)
}

/** Clock ticks a second in /proc, sysconf(_SC_CLK_TCK): 100 wherever Linux runs Node. */
const ticksASecond = 100

function listProc(): ProcessFacts[] {
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name)
    const stat = /^\d+$/.test(name) ? statOf(pid) : undefined
    if (!stat) return []
    const { parent, group, start, ticks } = stat
    return [{ pid, parent, group, start, command: '', memory: 0, cpuMs: (ticks * 1000) / ticksASecond }]
  })
}

function withProcDetails(facts: ProcessFacts): ProcessFacts {
  const status = readProc(`/proc/${facts.pid}/status`, 'utf8')
  const field = (name: string): string => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1] ?? ''
  const line = readProc(`/proc/${facts.pid}/cmdline`, 'utf8').replace(/\0+$/, '').replaceAll('\0', ' ')
  return { ...facts, command: short(line || field('Name')), memory: Number.parseInt(field('VmRSS') || '0', 10) * 1024 }
}

const short = (command: string): string => (command.length > maxCommand ? `${command.slice(0, maxCommand)}…` : command)

export async function listByPs(): Promise<ProcessFacts[]> {
  const columns = 'pid=,ppid=,pgid=,rss=,time=,stat=,lstart=,command='
  const { stdout } = await promisify(execFile)('ps', ['-A', '-ww', '-o', columns], psOptions)
  return stdout.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(-?\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(\S+ +\S+ +\S+ +\S+ +\d{4})\s+(.*)$/.exec(line)
    if (!match || match[6]?.startsWith('Z')) return []
    const [, pid, parent, group, kilobytes, time = '', , start = '', command = ''] = match
    const facts = { pid: Number(pid), parent: Number(parent), group: Number(group), start: secondsOf(start) }
    return [{ ...facts, command: short(command), memory: Number(kilobytes) * 1024, cpuMs: millisecondsOf(time) }]
  })
}

/** Parses `[[days-]hours:]minutes:seconds[.hundredths]` to milliseconds. */
export function millisecondsOf(time: string): number {
  const [, days = '0', clock = ''] = /^(?:(\d+)-)?([\d:.]+)$/.exec(time) ?? []
  const seconds = clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
  return Math.round((Number(days) * 86_400 + seconds) * 1000)
}
