// What the operating system tells of processes: when one began, which ones carry a tag. A process id alone says nothing,
// since it is given out again; an id with the time of its beginning is one process. Linux tells by /proc. On other POSIX
// systems `ps` does; macOS shows nobody the environment of its own programs (`/bin/sh`), so those are not found by tag there.
// Windows tells neither at once nor by tag: see `windows-table.ts`.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { isTag, tagVariable } from './server-process.ts'

export interface TaggedProcess {
  readonly pid: number
  /** Its process group. */
  readonly group: number
  readonly start: number
  readonly tag: string
}

export interface ProcessTable {
  /** Which run of the machine this is; the starts of two runs cannot be compared. */
  readonly boot: string
  /** When it began, in a unit of the system's own, which only grows; undefined: there is no such process, or it is a zombie. */
  start(pid: number): number | undefined
  /** Every running process that carries a tag of ours. */
  tagged(): readonly TaggedProcess[]
}

export function createProcessTable(platform: NodeJS.Platform = process.platform): ProcessTable | undefined {
  if (platform === 'linux') return procTable()
  if (platform === 'win32') return undefined
  return psTable(['-A', '-E', '-ww'])
}

function procTable(): ProcessTable {
  return {
    boot: read('/proc/sys/kernel/random/boot_id').trim(),
    start: (pid) => statOf(pid)?.start,
    tagged() {
      const found: TaggedProcess[] = []
      for (const name of readdirSync('/proc')) {
        if (!/^\d+$/.test(name)) continue
        const tag = tagIn(read(`/proc/${name}/environ`), '\0')
        const stat = tag === undefined ? undefined : statOf(Number(name))
        if (tag !== undefined && stat) found.push({ pid: Number(name), group: stat.group, start: stat.start, tag })
      }
      return found
    },
  }
}

/** proc_pid_stat(5). Undefined for what has ended, also when nobody has reaped it yet. */
export function statOf(pid: number): { readonly group: number; readonly start: number } | undefined {
  const text = read(`/proc/${pid}/stat`)
  // Its name, which may itself hold spaces and brackets, is the second field.
  const [state = 'X', , group, , , , , , , , , , , , , , , , , start] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  if (text === '' || state === 'Z' || state === 'X') return undefined
  return { group: Number(group), start: Number(start) }
}

/** Empty for what has ended meanwhile, or is another user's. */
function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

function tagIn(environment: string, separator: string): string | undefined {
  const at = `${separator}${environment}`.indexOf(`${separator}${tagVariable}=`)
  if (at === -1) return undefined
  const from = at + tagVariable.length + 1
  const tag = environment.slice(from, from + 32)
  return isTag(tag) ? tag : undefined
}

/** `listing`: the options of `ps` that show every process with its environment. */
export function psTable(listing: readonly string[]): ProcessTable {
  const ps = (args: readonly string[]): string => {
    // Times in one zone and one language, or they could not be compared.
    const env = { PATH: '/usr/bin:/bin', TZ: 'UTC', LC_ALL: 'C' }
    return spawnSync('ps', args, { encoding: 'utf8', env, maxBuffer: 64 * 1024 * 1024 }).stdout ?? ''
  }
  return {
    // These are times of day: they need no boot to be told apart.
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

/** `Sat Nov 21 22:18:50 2026` */
const secondsOf = (date: string): number => Date.parse(`${date} UTC`) / 1000
