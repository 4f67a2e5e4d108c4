// Records a server's start for the doctor: steps with their times, the file that ran, first and last output, and the exit. Kept in
// memory only, and bounded. Late events of an earlier start never reach a later one.
import { dirname } from 'node:path'
import { t } from '#app/i18n/translate.ts'
import { type DoctorStep, type Exit, pathSourceLabel, type StartTrace } from '#app/server/doctor.ts'
import type { SandboxAttempt } from '#app/server/sandbox/sandbox-report.ts'
import type { Clock } from '#main/base/clock.ts'
import type { PreparedLaunch } from './environment/environment.ts'

export type StepEnd = (ok: boolean, detail?: string) => void

export type StartRecorder = ReturnType<typeof createRecorder>
export type StepRecorder = Pick<StartRecorder, 'step'>

/** Limits. The head of stderr is kept too: an exception states its reason first, and a usage text may follow. */
const most = { steps: 60, detail: 300, head: 20, stderr: 60, output: 5, line: 1000 }
const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text)
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

interface Step extends Omit<DoctorStep, 'ms'> {
  readonly since: number
  until: number | undefined
  ok: boolean
  detail: string
}
interface Start extends Omit<StartTrace, 'steps' | 'sandbox'> {
  sandbox: 'on' | 'off' | null
  over: boolean
  readonly steps: Step[]
}

const blank = (command: string, startedAt: number | null): Start => {
  const notFound = { resolved: null, path: null, pathSource: null, cwd: null, exit: null, sandbox: null }
  return { startedAt, command, ...notFound, over: false, stderr: [], output: [], steps: [] }
}

/** `attempts`: of its sandbox, from whatever time. */
export function createRecorder(clock: Clock, attempts: () => readonly SandboxAttempt[] = () => []) {
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
    begin(command: string): void {
      start = blank(cut(command, most.line), clock.now())
    },
    step,
    async run<T>(name: string, work: () => Promise<T>, detail?: (value: T) => string): Promise<T> {
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
    found({ command, path, pathSource, cwd }: PreparedLaunch): void {
      Object.assign(start, { resolved: command, path, pathSource, cwd, exit: null })
      // A start may take two processes; output of the first is dropped.
      start.stderr.length = 0
      start.output.length = 0
    },
    searched: (where: Pick<StartTrace, 'path' | 'pathSource' | 'cwd'>): void => void Object.assign(start, where),
    wrote(source: 'stderr' | 'stdout', line: string): void {
      const lines = source === 'stderr' ? start.stderr : start.output
      if (source === 'stdout' && lines.length >= most.output) return
      lines.push(cut(line, most.line))
      if (lines.length <= most.stderr) return
      lines[most.head] = '…'
      lines.splice(most.head + 1, 1)
    },
    sandboxed(kind: 'on' | 'off'): void {
      start.sandbox = kind
    },
    exited(exit: Exit): void {
      start.exit = exit
    },
    finish(): void {
      start.over = true
      for (const one of start.steps) {
        if (one.until !== undefined) continue
        one.until = clock.now()
        one.detail ||= t`no answer`
      }
    },
    trace(): StartTrace {
      const { over: _over, stderr, output, steps, sandbox, ...rest } = start
      return {
        ...rest,
        sandbox: sandbox && { kind: sandbox, attempts: attempts().filter(({ lastAt }) => lastAt >= (rest.startedAt ?? 0)) },
        stderr: [...stderr],
        output: [...output],
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

/** Describes where a command was found, for the step that looked for it. */
export function whereFound({ command, path, pathSource, foundIn }: PreparedLaunch, windows: boolean): string {
  // Counted as on the page: a path may name a folder twice.
  const folders = [...new Set(path.split(windows ? ';' : ':').filter(Boolean))]
  const at = folders.indexOf(dirname(command))
  if (at === -1) return command
  const whose = foundIn?.manager === undefined ? '' : ` (${foundIn.manager})`
  return t`${command}, in folder ${at + 1} of ${folders.length} of ${pathSourceLabel(pathSource)}${whose}`
}
