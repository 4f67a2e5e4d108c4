// Start times and tags of processes. A process id is reused; an id with its start time is unique. Linux reads /proc, other POSIX
// systems `ps`. macOS hides the environment of its own programs (`/bin/sh`), so those are not found by tag.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { orElse } from '#app/or-else.ts'
import { isTag, tagVariable } from './server-process.ts'

export interface TaggedProcess {
  readonly pid: number
  readonly group: number
  readonly start: number
  readonly tag: string
}

export interface ProcessTable {
  /** Boot id of the machine; start times of two boots do not compare. */
  readonly boot: string
  /** Start time in a unit of the system; undefined: there is no such process, or it is a zombie. */
  start(pid: number): number | undefined
  tagged(): readonly TaggedProcess[]
}

export function createProcessTable(platform: NodeJS.Platform = process.platform): ProcessTable | undefined {
  if (platform === 'linux') return procTable()
  if (platform === 'win32') return undefined
  return psTable(['-A', '-E', '-ww'])
}

function procTable(): ProcessTable {
  return {
    boot: readProc('/proc/sys/kernel/random/boot_id').trim(),
    start: (pid) => statOf(pid)?.start,
    tagged() {
      const found: TaggedProcess[] = []
      for (const name of readdirSync('/proc')) {
        if (!/^\d+$/.test(name)) continue
        const tag = tagIn(readProc(`/proc/${name}/environ`), '\0')
        const stat = tag === undefined ? undefined : statOf(Number(name))
        if (tag !== undefined && stat) found.push({ pid: Number(name), group: stat.group, start: stat.start, tag })
      }
      return found
    },
  }
}

/** Reads proc_pid_stat(5); undefined for an ended process, also before it is reaped. */
export function statOf(pid: number) {
  const text = readProc(`/proc/${pid}/stat`)
  // The second field, the name, may hold spaces and brackets.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state] = fields
  if (text === '' || state === 'Z' || state === 'X') return undefined
  const number = (index: number): number => Number(fields[index])
  return { parent: number(1), group: number(2), ticks: number(11) + number(12), start: number(19) }
}

/** Reads a file of /proc; empty for an ended process or another user's. */
export const readProc = (path: string, encoding: 'latin1' | 'utf8' = 'latin1'): string => orElse(() => readFileSync(path, encoding), '')

function tagIn(environment: string, separator: string): string | undefined {
  const at = `${separator}${environment}`.indexOf(`${separator}${tagVariable}=`)
  if (at === -1) return undefined
  const from = at + tagVariable.length + 1
  const tag = environment.slice(from, from + 32)
  return isTag(tag) ? tag : undefined
}

/** One time zone and one language, so that times compare. */
export const psOptions = { env: { PATH: '/usr/bin:/bin', TZ: 'UTC', LC_ALL: 'C' }, maxBuffer: 64 * 1024 * 1024 }

/** Builds a table from `ps`. `listing`: its options to show every process with its environment. */
export function psTable(listing: readonly string[]): ProcessTable {
  const ps = (args: readonly string[]): string => spawnSync('ps', args, { ...psOptions, encoding: 'utf8' }).stdout ?? ''
  return {
    // Times of day compare across boots.
    boot: '',
    start(pid) {
      const [, state = 'Z', date] = /^\s*(\S+)\s+(.*\S)/.exec(ps(['-o', 'stat=,lstart=', '-p', String(pid)])) ?? []
      return state.startsWith('Z') || date === undefined ? undefined : secondsOf(date)
    },
    tagged() {
      const lines = ps([...listing, '-o', 'pid=,pgid=,stat=,lstart=,command=']).split('\n')
      return lines.flatMap((line) => {
        const [, pid, group, state = 'Z', date = '', command = ''] =
          /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S+ +\S+ +\S+ +\S+ +\d{4})\s+(.*)$/.exec(line) ?? []
        const tag = tagIn(command, ' ')
        return tag === undefined || state.startsWith('Z') ? [] : [{ pid: Number(pid), group: Number(group), start: secondsOf(date), tag }]
      })
    },
  }
}

/** Parses `Sat Nov 21 22:18:50 2026` to seconds since the epoch. */
export const secondsOf = (date: string): number => Date.parse(`${date} UTC`) / 1000
