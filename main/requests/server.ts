import { HostError } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'
import type { HandlersOf, HostParts } from './handlers.ts'
import { inItsWords } from './in-its-words.ts'
import { endWith } from './removed-servers.ts'
import { inspectorRequests } from './server-inspector.ts'
import { saveLog } from './server-log.ts'
import { secretRequests } from './server-secrets.ts'
import { setupRequests } from './server-setup.ts'

export function serverRequests(host: HostParts): HandlersOf<'server'> {
  const { config, servers } = host
  /** Of a request of the page, which cannot be called off; the servers' own limits end it. */
  const { signal } = new AbortController()
  const known = (name: string): string => {
    if (!servers.view(name)) throw new HostError('server.unknown', t`There is no server named “${name}”.`, { data: { server: name } })
    return name
  }

  function removeOrRestore(name: string): string {
    try {
      return config.remove(name)
    } catch (error) {
      host.inputs.configure(config.definitions(), config.inputs())
      throw error
    }
  }

  return {
    ...secretRequests(host),
    ...inspectorRequests(host, known),
    ...setupRequests(host),
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
    async 'server.signIn'({ name }) {
      await servers.signIn(known(name))
      return {}
    },
    'server.signOut': ({ name }) => servers.signOut(known(name)),
    async 'server.cancelSignIn'({ name }) {
      await servers.cancelSignIn(known(name))
      return {}
    },
    async 'server.finishSignIn'({ name, address }) {
      await servers.finishSignIn(known(name), address)
      return {}
    },
    'server.catalogue'({ name }) {
      const { resources: _resources, resourceTemplates: _templates, prompts: _prompts, ...rest } = servers.catalogue(known(name))
      return rest
    },
    async 'server.log'({ name }) {
      const earlier = await servers.earlierLog(known(name))
      return { ...servers.log(known(name)), earlier }
    },
    'server.activity': ({ name }) => servers.activity(known(name)),
    'server.processes': ({ name }) => servers.processes(known(name)),
    'server.saveLog': async ({ name }) => ({ path: await saveLog(host, known(name)) }),
    'server.doctor': ({ name }) => servers.doctor(known(name)),
    'server.setToolEnabled'({ name, tool, enabled }) {
      const decision = enabled ? 'tool-on' : 'tool-off'
      host.store.audit.append({ kind: 'config', server: known(name), tool, decision, by: 'person' })
      servers.setToolEnabled(name, tool, enabled)
      return {}
    },
    async 'server.setLogLevel'({ name, level }) {
      await servers.setLogLevel(known(name), level, { signal })
      return {}
    },
    'server.sampling': ({ name }) => host.broker.samplingDay(known(name)),
    'server.setSamplingBudget'({ name, budget }) {
      host.store.audit.append({ kind: 'config', server: known(name), decision: 'sampling-budget', by: 'person', detail: budget })
      host.store.sampling.putBudget(name, budget)
      return {}
    },
    async 'server.subscribeResource'({ name, uri }) {
      await inItsWords(name, servers.subscribe(known(name), uri, { signal }))
      return {}
    },
    async 'server.unsubscribeResource'({ name, uri }) {
      await inItsWords(name, servers.unsubscribe(known(name), uri, { signal }))
      return {}
    },
    'server.complete': ({ name, query }) => inItsWords(name, servers.complete(known(name), query, { signal })),
    async 'server.remove'({ name }) {
      const definition = config.definitions().get(known(name))
      // They come back with the server, should its removal be undone.
      host.bundles.leaving(name)
      if (definition) await host.inputs.release(name, definition)
      const text = removeOrRestore(name)
      endWith(host, name, definition)
      host.store.audit.append({ kind: 'config', server: name, decision: 'removed', by: 'person' })
      return { text }
    },
  }
}
