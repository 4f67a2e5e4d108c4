// Starting servers for a command: one that is named, or all that are enabled, side by side.
import { HostError } from '#app/errors.ts'
import type { ServerView } from '#app/server/view.ts'
import type { Host } from '#main/host.ts'
import { nearest } from './nearest.ts'

/** Throws `server.unknown`, with a guess at what was meant. */
export function requireServer({ parts }: Host, name: string): ServerView {
  const view = parts.servers.view(name)
  if (view) return view
  const names = parts.servers.views().map((server) => server.name)
  const meant = nearest(name, names)
  const hint = meant ? ` Did you mean “${meant}”?` : names.length > 0 ? ` There are: ${names.join(', ')}.` : ' No server is configured.'
  throw new HostError('server.unknown', `There is no server “${name}”.${hint}`, { data: { server: name } })
}

/** Rejects with why it does not start. */
export async function readyServer(host: Host, name: string): Promise<ServerView> {
  requireServer(host, name)
  await host.parts.servers.start(name)
  return requireServer(host, name)
}

/** Tries all enabled servers, or those that pass; who failed, and with what. */
export async function startAll(host: Host, filter: (view: ServerView) => boolean = () => true): Promise<ReadonlyMap<string, unknown>> {
  const { servers } = host.parts
  const failures = new Map<string, unknown>()
  const wanted = servers.views().filter((view) => view.definition.enabled && filter(view))
  await Promise.all(
    wanted.map(({ name }) =>
      servers.start(name).catch((error: unknown) => {
        failures.set(name, error)
      }),
    ),
  )
  return failures
}
