// Starting servers for a command: one that is named, or all that are enabled, side by side.
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { nearest } from '#main/base/nearest-name.ts'
import type { Host } from '#main/host.ts'
import { errorJson } from './exit-codes.ts'
import { type CliOutput, inARow, suggestionLabel, visibleLine } from './output.ts'

/** Throws `server.unknown`, with a guess at what was meant. */
export function requireServer({ context }: Host, name: string): ServerSummary {
  const view = context.servers.view(name)
  if (view) return view
  const names = context.servers.views().map((server) => server.name)
  const meant = nearest(name, names)
  const hint = names.length > 0 ? t`There are: ${names.join(', ')}.` : t`No server is configured.`
  throw new HostError('server.unknown', inARow(t`There is no server “${name}”.`, suggestionLabel(meant) || hint), {
    data: { server: name },
  })
}

/** Rejects with why it does not start, or at once when the signal aborts: the host ends the server then. */
export async function readyServer(host: Host, name: string, signal: AbortSignal): Promise<ServerSummary> {
  requireServer(host, name)
  await unlessAborted(host.context.servers.start(name), signal)
  return requireServer(host, name)
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  const aborted = Promise.withResolvers<never>()
  const onAbort = (): void => aborted.reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

interface StartAll {
  readonly filter?: (view: ServerSummary) => boolean
  /** As soon as its start has ended, one way or the other. */
  readonly onSettled?: (name: string) => void
}

/** Why each of them failed, on stderr. */
export function noteFailures(output: CliOutput, failures: ReadonlyMap<string, unknown>): void {
  for (const [name, error] of failures) output.note(`assent: ${visibleLine(name)}: ${visibleLine(errorJson(error).message.trimEnd())}`)
}

/** Tries all enabled servers, or those that pass; who failed, and with what. */
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
  await unlessAborted(Promise.all(starting), signal)
  return failures
}
