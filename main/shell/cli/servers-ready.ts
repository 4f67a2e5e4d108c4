// Starts servers for a command: a named one, or all enabled ones in parallel.
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { orAborted } from '#main/base/abort.ts'
import { nearest } from '#main/base/nearest-name.ts'
import type { Host } from '#main/host.ts'
import { errorJson } from './exit-codes.ts'
import { type CliOutput, inARow, suggestionLabel, visibleLine } from './output.ts'

/** @throws {HostError} `server.unknown`, with a suggestion. */
export function requireServer({ context }: Host, name: string): ServerSummary {
  const view = context.servers.view(name)
  if (view) return view
  const names = context.servers.views().map((server) => server.name)
  const meant = nearest(name, names)
  const hint = names.length > 0 ? t`There are: ${names.join(', ')}.` : t`No server is configured.`
  const message = inARow(t`There is no server “${name}”.`, suggestionLabel(meant) || hint)
  throw new HostError('server.unknown', message, { data: { server: name } })
}

/** Starts a server. Rejects when it does not start, or at once when the signal aborts: the host ends the server then. */
export async function readyServer(host: Host, name: string, signal: AbortSignal): Promise<ServerSummary> {
  requireServer(host, name)
  await orAborted(host.context.servers.start(name), signal)
  return requireServer(host, name)
}

interface StartAll {
  readonly filter?: (view: ServerSummary) => boolean
  readonly onSettled?: (name: string) => void
}

export function noteFailures(output: CliOutput, failures: ReadonlyMap<string, unknown>): void {
  for (const [name, error] of failures) output.note(`assent: ${visibleLine(name)}: ${visibleLine(errorJson(error).message.trimEnd())}`)
}

/** Starts all enabled servers, or those that pass the filter. Resolves with the errors of those that failed, by name. */
export async function startAll(
  host: Host,
  signal: AbortSignal,
  { filter = () => true, onSettled }: StartAll = {},
): Promise<ReadonlyMap<string, unknown>> {
  const { servers } = host.context
  const failures = new Map<string, unknown>()
  const wanted = servers.views().filter((view) => view.definition.enabled && filter(view))
  const starting = wanted.map(({ name }) =>
    servers
      .start(name)
      .catch((error: unknown) => {
        failures.set(name, error)
      })
      .then(() => onSettled?.(name)),
  )
  await orAborted(Promise.all(starting), signal)
  return failures
}
