// The doctor of one server: keeps what its last start was like, says what a failure comes to, and tells all of it at once.
import { maskArgs, maskUrl } from '#app/consent/secret-names.ts'
import type { ErrorValue } from '#app/errors.ts'
import { commandLine } from '#app/server/command-line.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import { type Diagnosis, type DoctorReport, type PathSource, pathSource } from '#app/server/doctor.ts'
import type { Exit } from '#app/server/exit.ts'
import type { ServerState } from '#app/server/state.ts'
import type { Clock } from '#main/base/clock.ts'
import { maskDefinition } from '../config/mask.ts'
import type { LogBuffer } from '../logs/log-buffer.ts'
import { maskTexts } from '../logs/mask.ts'
import { diagnose } from './diagnose.ts'
import { noMcpYet } from './ended.ts'
import { lookAround } from './facts.ts'
import { createRecorder, type StartRecorder } from './recorder.ts'

export interface Doctor {
  readonly recorder: StartRecorder
  /** A start begins. */
  begin(definition: ServerDefinition): void
  /** The start, or what came of it, ended with this error, which has been masked. */
  diagnose(definition: ServerDefinition, error: ErrorValue): Diagnosis
  /** Of a start that goes on, whose process wrote what is no MCP. */
  doubt(definition: ServerDefinition): Diagnosis
  /** Of the last start, also of one that goes on. Without secrets. */
  report(definition: ServerDefinition, state: ServerState): DoctorReport
}

export function createDoctor(options: { readonly server: string; readonly clock: Clock; readonly log: LogBuffer }): Doctor {
  const { server, clock, log } = options
  const recorder = createRecorder(clock)

  const about = (definition: ServerDefinition, error: ErrorValue): Diagnosis => {
    const trace = recorder.trace()
    const found = diagnose({ name: server, definition: maskDefinition(definition), error, trace, facts: lookAround(definition, trace) })
    return maskTexts(log.masked, found)
  }

  return {
    recorder,
    begin: (definition) => recorder.begin(shownCommand(definition)),
    diagnose(definition, error) {
      const { path, pathSource: from, cwd } = error.data ?? {}
      // What was searched in vain is known from the error alone.
      if (error.code === 'server.command-not-found' && typeof path === 'string')
        recorder.searched({ path, pathSource: asPathSource(from), cwd: typeof cwd === 'string' ? cwd : null })
      if (error.code === 'server.exited') recorder.exited(exitIn(error))
      recorder.finish()
      return about(definition, error)
    },
    doubt(definition) {
      const found = noMcpYet({ name: server, definition: maskDefinition(definition), trace: recorder.trace() })
      return maskTexts(log.masked, { tone: 'warn' as const, ...found })
    },
    report(definition, state) {
      const trace = recorder.trace()
      const command = trace.startedAt === null ? shownCommand(definition) : trace.command
      return maskTexts(log.masked, {
        server,
        ok: state.kind === 'ready',
        diagnosis: diagnosisOf(definition, state),
        ...trace,
        command,
      })
    },
  }

  function diagnosisOf(definition: ServerDefinition, state: ServerState): Diagnosis | null {
    const nothing = (code: 'server.disabled' | 'server.refused'): Diagnosis => about(definition, { code, message: '' })
    if (state.kind === 'failed') return state.diagnosis ?? about(definition, state.error)
    if (state.kind === 'starting') return state.diagnosis ?? null
    if (state.kind === 'disabled') return nothing('server.disabled')
    return state.kind === 'refused' ? nothing('server.refused') : null
  }
}

const asPathSource = (value: unknown): PathSource | null => pathSource.safeParse(value).data ?? null

function exitIn({ data }: ErrorValue): Exit {
  const { code, signal } = data ?? {}
  return { code: typeof code === 'number' ? code : null, signal: typeof signal === 'string' ? signal : null }
}

/** Without what looks secret. */
const shownCommand = (definition: ServerDefinition): string => {
  if (definition.transport === 'stdio') return commandLine({ ...definition, args: maskArgs(definition.args) })
  return definition.transport === 'builtin' ? commandLine(definition) : maskUrl(definition.url)
}
