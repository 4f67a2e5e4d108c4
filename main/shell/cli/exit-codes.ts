// How a command ended, for whoever called it.
import { describeError } from '#app/describe-error.ts'
import { HostError, type HostErrorCode, toErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Json } from '#app/json.ts'
import { type CliOutput, visibleLine } from './output.ts'

export const exitCodes = { done: 0, failed: 1, usage: 2, refused: 3 } as const
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

const refusals: ReadonlySet<HostErrorCode> = new Set(['consent.denied', 'consent.withdrawn', 'server.refused', 'server.sign-in-refused'])

export const exitCodeOf = (error: unknown): ExitCode =>
  error instanceof HostError && refusals.has(error.code) ? exitCodes.refused : exitCodes.failed

interface ErrorJson {
  /** One of the host's codes, or a number when it came over the wire (JSON-RPC). */
  readonly code: string | number
  readonly message: string
  readonly data?: Json | undefined
}

export function errorJson(error: unknown): ErrorJson {
  if (!(error instanceof HostError) && error instanceof Error && 'code' in error && typeof error.code === 'number')
    return {
      code: error.code,
      message: error.message,
      ...('data' in error && error.data !== undefined ? { data: error.data as Json } : {}),
    }
  return toErrorValue(error)
}

/** One line for people: what happened, why in the other side's words, what to do. */
export const errorLine = (error: unknown): string =>
  `assent: ${[errorJson(error).message.trimEnd(), ...adviceOf(error)]
    .filter((part) => part !== '')
    .map(visibleLine)
    .join(' ')}`

/** Says what went wrong, in the way that was asked for. */
export function reportError(error: unknown, output: CliOutput): ExitCode {
  const value = errorJson(error)
  if (output.json) output.value({ error: value })
  output.note(errorLine(error))
  return exitCodeOf(error)
}

/** For the first that is missing: the others are found the same way. */
function missingAdvice({ server, ids, environment }: HostError['data']): string {
  const first = (list: Json | undefined): string => (Array.isArray(list) ? String(list[0]) : '')
  return t`Set ${first(environment)} for this run, or keep it: assent secret set ${JSON.stringify(server ?? '')} ${JSON.stringify(first(ids))} --data-dir DIR`
}

/** A start that failed in a way that a look at its steps explains. */
const diagnosed: ReadonlySet<HostErrorCode> = new Set([
  'server.command-not-found',
  'server.cwd-not-found',
  'server.spawn-failed',
  'server.exited',
  'server.not-mcp',
  'server.list-failed',
  'server.start-timeout',
  'server.unreachable',
  'server.http-status',
  'server.version-mismatch',
])

/** The other side's words and what to do next, where that is the same on the command line as in the window. */
function adviceOf(error: unknown): string[] {
  if (error instanceof HostError && error.code === 'server.secret-missing') return [missingAdvice(error.data)]
  if (error instanceof HostError && diagnosed.has(error.code)) return [t`assent doctor says what was tried, and what mends it.`]
  const same = error instanceof HostError && /^(profile\.|disk\.full|model\.)/.test(error.code)
  if (!same) return []
  const { quote, remedy } = describeError(error.toValue())
  return [quote === undefined ? '' : t`Its words: “${quote}”`, remedy]
}

/** A signal to a group comes twice: from its sender, and passed on by npm or timeout. So soon after the first it is the same one. */
const SAME_SIGNAL_MS = 500

/** The first signal ends the work; a second one ends the process at once. Returns its undo. */
export function onInterrupt(stop: () => void): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  let first: number | undefined
  const onSignal = (): void => {
    if (first !== undefined) {
      if (performance.now() - first > SAME_SIGNAL_MS) process.exit(exitCodes.failed)
      return
    }
    first = performance.now()
    stop()
  }
  for (const signal of signals) process.on(signal, onSignal)
  return () => {
    for (const signal of signals) process.off(signal, onSignal)
  }
}
