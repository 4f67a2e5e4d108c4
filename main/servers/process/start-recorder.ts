// What happens while a server starts, kept as it happens: steps with their times, what ran and where it was found, what it wrote
// first and last, and how it ended. Nothing is started for it, and nothing of it is written down: it is there when somebody asks why.
// Of what a server writes only so much is kept, and what an older start still has to say lands in that start alone.
import { dirname } from 'node:path'
import { t } from '#app/i18n/translate.ts'
import type { DoctorStep, Exit, StartTrace } from '#app/server/doctor.ts'
import type { Clock } from '#main/base/clock.ts'
import type { PreparedLaunch } from './environment/environment.ts'

/** Ends a step; only the first word counts. */
export type StepEnd = (ok: boolean, detail?: string) => void

export interface StepRecorder {
  step(name: string): StepEnd
}

export interface StartRecorder extends StepRecorder {
  /** A start begins: all before it is forgotten. `command`: as it stands in the file. */
  begin(command: string): void
  /** A step for as long as `work` takes. Its error is passed on. */
  run<T>(name: string, work: () => Promise<T>, detail?: (value: T) => string): Promise<T>
  found(launch: PreparedLaunch): void
  /** What a lookup that found nothing looked in. */
  searched(where: Pick<StartTrace, 'path' | 'pathSource' | 'cwd'>): void
  /** A line that is not protocol, without its secrets. */
  wrote(source: 'stderr' | 'stdout', line: string): void
  /** It ended by itself, not because it was to. */
  exited(exit: Exit): void
  /** The start is over, one way or the other: no step is added any more. */
  finish(): void
  trace(): StartTrace
}

/** Of stderr the head is kept too: what threw says why first, and a usage text may follow. */
const most = { steps: 60, detail: 300, head: 20, stderr: 60, output: 5, line: 1000 }
const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text)
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

interface Step extends Omit<DoctorStep, 'ms'> {
  readonly since: number
  until: number | undefined
  ok: boolean
  detail: string
}
interface Start extends Omit<StartTrace, 'steps' | 'stderr' | 'output'> {
  startedAt: number | null
  resolved: string | null
  path: string | null
  pathSource: StartTrace['pathSource']
  cwd: string | null
  exit: Exit | null
  over: boolean
  readonly stderr: string[]
  readonly output: string[]
  readonly steps: Step[]
}

const blank = (command: string, startedAt: number | null): Start => ({
  startedAt,
  command,
  resolved: null,
  path: null,
  pathSource: null,
  cwd: null,
  exit: null,
  over: false,
  stderr: [],
  output: [],
  steps: [],
})

export function createRecorder(clock: Clock): StartRecorder {
  let start = blank('', null)

  const step = (name: string): StepEnd => {
    const mine = start
    if (mine.over || mine.steps.length >= most.steps) return () => undefined
    const one: Step = { name, since: clock.now(), until: undefined, ok: false, detail: '' }
    mine.steps.push(one)
    return (ok, detail = '') => {
      if (one.until !== undefined) return
      one.until = clock.now()
      one.ok = ok
      one.detail = cut(detail, most.detail)
    }
  }

  return {
    begin(command) {
      start = blank(cut(command, most.line), clock.now())
    },
    step,
    async run(name, work, detail) {
      const end = step(name)
      try {
        const value = await work()
        end(true, detail?.(value))
        return value
      } catch (error) {
        end(false, messageOf(error))
        throw error
      }
    },
    found({ command, path, pathSource, cwd }) {
      Object.assign(start, { resolved: command, path, pathSource, cwd, exit: null })
      // What a process before it said is another's: a start may take two.
      start.stderr.length = 0
      start.output.length = 0
    },
    searched(where) {
      Object.assign(start, where)
    },
    wrote(source, line) {
      const lines = source === 'stderr' ? start.stderr : start.output
      if (source === 'stdout' && lines.length >= most.output) return
      lines.push(cut(line, most.line))
      if (lines.length <= most.stderr) return
      // In place of what is left out between the two.
      lines[most.head] = '…'
      lines.splice(most.head + 1, 1)
    },
    exited(exit) {
      start.exit = exit
    },
    finish() {
      start.over = true
      for (const one of start.steps) {
        if (one.until !== undefined) continue
        one.until = clock.now()
        one.detail ||= start.exit === null ? t`no answer` : t`it ended before it answered`
      }
    },
    trace() {
      const { over: _over, steps, ...rest } = start
      return {
        ...rest,
        stderr: [...start.stderr],
        output: [...start.output],
        steps: steps.map(({ name, since, until, ok, detail }) => ({
          name,
          ms: Math.max(0, Math.round((until ?? clock.now()) - since)),
          ok,
          detail: until === undefined ? t`not over yet` : detail,
        })),
      }
    },
  }
}

const owners = (): Readonly<Record<PreparedLaunch['pathSource'], string>> => ({
  terminal: t`the PATH of the terminal`,
  'login-shell': t`the PATH of the login shell`,
  fallback: t`the PATH of Assent and the usual folders`,
  registry: t`the PATH of Windows`,
  config: t`the PATH that its env sets`,
})

/** Where a command was found, for the step that looked for it. */
export function whereFound({ command, path, pathSource, foundIn }: PreparedLaunch, windows: boolean): string {
  // As the page counts them: a path may name a folder twice.
  const folders = [...new Set(path.split(windows ? ';' : ':').filter(Boolean))]
  const at = folders.indexOf(dirname(command))
  if (at === -1) return command
  const whose = foundIn?.manager === undefined ? '' : ` (${foundIn.manager})`
  return t`${command}, in folder ${at + 1} of ${folders.length} of ${owners()[pathSource]}${whose}`
}
