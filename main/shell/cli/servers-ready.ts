// Starts servers for a command: a named one, or all enabled ones in parallel. What a window stopped stays so unless it is named.
import { HostError } from '#app/errors.ts'
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
  const message = inARow(t`There is no server “${name}”.`, suggestionLabel(meant) || hint)
  throw new HostError('server.unknown', message, { data: { server: name } })
}

/** Starts a server. Rejects when it does not start, or at once when the signal aborts: the host ends the start then. */
export async function startServer(host: ReachedHost, name: string, signal: AbortSignal): Promise<void> {
  await requireServer(host, name)
  await orAborted(host.request('server.start', { name }), signal)
}

interface StartAll {
  readonly filter?: (view: ServerSummary) => boolean
  readonly onSettled?: (name: string) => Promise<void>
}

export function noteFailures(output: CliOutput, failures: ReadonlyMap<string, unknown>): void {
  for (const [name, error] of failures) output.note(`assent: ${visibleLine(name)}: ${visibleLine(errorJson(error).message.trimEnd())}`)
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
      .catch((error: unknown) => {
        failures.set(name, error)
      })
      .then(() => onSettled?.(name)),
  )
  await orAborted(Promise.all(starting), signal)
  return failures
}
