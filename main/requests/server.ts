import { HostError } from '#app/errors.ts'
import type { HandlersOf, HostParts } from './handlers.ts'

export function serverRequests(host: HostParts): HandlersOf<'server'> {
  const { config, servers } = host
  const known = (name: string): string => {
    if (!servers.view(name)) throw new HostError('server.unknown', `There is no server named “${name}”.`, { data: { server: name } })
    return name
  }

  return {
    async 'server.start'({ name }) {
      await servers.start(known(name))
      return {}
    },
    async 'server.stop'({ name }) {
      await servers.stop(known(name))
      return {}
    },
    async 'server.restart'({ name }) {
      await servers.restart(known(name))
      return {}
    },
    'server.catalogue': ({ name }) => servers.catalogue(known(name)),
    'server.log': ({ name }) => servers.log(known(name)),
    'server.setToolEnabled'({ name, tool, enabled }) {
      servers.setToolEnabled(known(name), tool, enabled)
      return {}
    },
    'server.save'({ name, previousName, definition }) {
      const replaced = config.definitions().has(previousName ?? name)
      config.save(name, definition, previousName)
      host.store.audit.append({
        kind: 'config',
        server: name,
        decision: replaced ? 'changed' : 'added',
        by: 'person',
        detail: previousName === undefined || previousName === name ? {} : { previousName },
      })
      return {}
    },
    'server.remove'({ name }) {
      const text = config.remove(known(name))
      host.store.audit.append({ kind: 'config', server: name, decision: 'removed', by: 'person' })
      return { text }
    },
  }
}
