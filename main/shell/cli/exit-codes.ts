// Exit codes and errors of commands, and the signals that end them.
import type { RequestResult } from '#app/contract/requests.ts'
import { describeError, HostError, type HostErrorCode, toErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Json, JsonObject } from '#app/json.ts'
import { protocolError } from '#main/base/protocol-error.ts'
import { type CliOutput, visibleLine } from './output.ts'

export const exitCodes = { done: 0, failed: 1, usage: 2, refused: 3 } as const
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

const refusals: ReadonlySet<HostErrorCode> = new Set(['consent.denied', 'consent.withdrawn', 'server.refused', 'server.sign-in-refused'])

export const exitCodeOf = (error: unknown): ExitCode =>
  error instanceof HostError && refusals.has(error.code) ? exitCodes.refused : exitCodes.failed

interface ErrorJson {
  /** Code of a HostError, or the number of a JSON-RPC error. */
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

/** Returns the result of a server's answer. @throws {ProtocolError} for a JSON-RPC error */
export function resultOf(answer: RequestResult<'server.readResource'>): JsonObject {
  if ('result' in answer) return answer.result
  throw protocolError(answer.error.code, answer.error.message, answer.error.data)
}

/** Formats an error on one line: what happened, a quotation of the other side, what to do. */
export const errorLine = (error: unknown): string =>
  `assent: ${[errorJson(error).message.trimEnd(), ...adviceOf(error)]
    .filter((part) => part !== '')
    .map(visibleLine)
    .join(' ')}`

/** Writes an error as JSON or text. Returns its exit code. */
export function reportError(error: unknown, output: CliOutput): ExitCode {
  const value = errorJson(error)
  if (output.json) output.value({ error: value })
  output.note(errorLine(error))
  return exitCodeOf(error)
}

/** Advises how to set the first missing value; the others are set alike. */
function missingAdvice({ server, ids, environment }: HostError['data']): string {
  const first = (list: Json | undefined): string => (Array.isArray(list) ? String(list[0]) : '')
  return t`Set ${first(environment)}, or run: assent secret set ${JSON.stringify(server ?? '')} ${JSON.stringify(first(ids))} --data-dir DIR`
}

/** Advice and quotation, where they are the same as in the window. */
function adviceOf(error: unknown): string[] {
  if (error instanceof HostError && error.code === 'server.secret-missing') return [missingAdvice(error.data)]
  if (error instanceof HostError && error.code === 'port.in-use') return [t`Start with --port 0 for any free one.`]
  const same = error instanceof HostError && /^(profile\.|disk\.full|model\.)/.test(error.code)
  if (!same) return []
  const { quote, remedy } = describeError(error.toValue())
  return [remedy, quote === undefined ? '' : `“${quote}”`]
}

/** Milliseconds in which a second signal counts as the first: a signal to a group comes twice, since npm or timeout passes it on. */
const SAME_SIGNAL_MS = 500

/** Calls `stop` at the first signal, and ends the process at a second one. Returns its undo. */
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
