// Starts servers for a command: a named one, or all enabled ones in parallel. What a window stopped stays so unless it is named.
import { HostError, type HostErrorCode } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { orAborted } from '#main/base/abort.ts'
import { nearest } from '#main/base/nearest-name.ts'
import type { ReachedHost } from '#main/shell/socket/join-host.ts'
import { errorJson } from './exit-codes.ts'
import { type CliOutput, inARow, suggestionLabel, visibleLine } from './output.ts'

export const serversOf = async (host: ReachedHost): Promise<readonly ServerSummary[]> => (await host.request('app.snapshot', {})).servers

/** @throws {HostError} `server.unknown`, with a suggestion. */
export async function requireServer(host: ReachedHost, name: string): Promise<ServerSummary> {
  const views = await serversOf(host)
  const view = views.find((server) => server.name === name)
  if (view) return view
  const names = views.map((server) => server.name)
  const meant = nearest(name, names)
  const hint = names.length > 0 ? t`There are: ${names.join(', ')}.` : t`No server is configured.`
  const message = inARow(t`There is no server named “${name}”.`, suggestionLabel(meant) || hint)
  throw new HostError('server.unknown', message, { data: { server: name } })
}

/** Failures of a start that the doctor explains. */
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

/** Puts what the doctor says of a failed start in place of the bare error: the cause in the server's own words, and the fix. */
async function explained(host: ReachedHost, name: string, error: unknown): Promise<unknown> {
  if (!(error instanceof HostError) || !diagnosed.has(error.code)) return error
  const { diagnosis } = await host.request('server.doctor', { name })
  if (!diagnosis) return error
  return new HostError(error.code, inARow(diagnosis.message, diagnosis.why, diagnosis.remedy), { data: error.data, cause: error })
}

/** Starts a server. @throws {HostError} when it does not start, or at once when the signal aborts: the host ends the start then */
export async function startServer(host: ReachedHost, name: string, signal: AbortSignal): Promise<void> {
  await requireServer(host, name)
  const starting = host
    .request('server.start', { name })
    .catch(async (error: unknown) => Promise.reject(await explained(host, name, error)))
  await orAborted(starting, signal)
}

interface StartAll {
  readonly filter?: (view: ServerSummary) => boolean
  readonly onSettled?: (name: string) => Promise<void>
}

export function noteFailures(output: CliOutput, failures: ReadonlyMap<string, unknown>): void {
  for (const error of failures.values()) output.note(`assent: ${visibleLine(errorJson(error).message.trimEnd())}`)
}

/** Servers that do not run though they are switched on, each with the reason in short; empty when there are none. */
export function missingServers(views: readonly ServerSummary[], failures: ReadonlyMap<string, unknown> = new Map()): string {
  const missing = views.flatMap(({ name, state, definition }) => {
    // One that failed may be starting again.
    const isMissing = state.kind === 'failed' || state.kind === 'refused' || (state.kind !== 'ready' && failures.has(name))
    if (!definition.enabled || !isMissing) return []
    const known = state.kind === 'failed' || state.kind === 'starting' ? state.diagnosis?.short : undefined
    const why = state.kind === 'refused' ? t`not allowed` : (known ?? (state.kind === 'failed' ? state.error.message : ''))
    return [why === '' ? visibleLine(name) : `${visibleLine(name)} (${visibleLine(why)})`]
  })
  return missing.join(', ')
}

const isStopped = ({ state }: ServerSummary): boolean => state.kind === 'stopped' && state.reason === 'user'

/** Starts all enabled servers, or those that pass the filter. Resolves with the errors of those that failed, by name. */
export async function startAll(
  host: ReachedHost,
  signal: AbortSignal,
  { filter = (view) => !isStopped(view), onSettled }: StartAll = {},
): Promise<ReadonlyMap<string, unknown>> {
  const failures = new Map<string, unknown>()
  const wanted = (await serversOf(host)).filter((view) => view.definition.enabled && filter(view))
  const starting = wanted.map(({ name }) =>
    host
      .request('server.start', { name })
      .catch(async (error: unknown) => {
        failures.set(name, await explained(host, name, error))
      })
      .then(() => onSettled?.(name)),
  )
  await orAborted(Promise.all(starting), signal)
  return failures
}
