// Seeing what goes over the wire. That it was switched on is on record: from then on it is in memory, and on pages.

import { messageLines } from '#app/server/wire-message.ts'
import { t } from '#app/words/translate.ts'
import type { HandlersOf, HostParts } from './handlers.ts'
import { saveText } from './server-log.ts'

type Requests = Pick<HandlersOf<'server'>, 'server.inspect' | 'server.messages' | 'server.clearMessages' | 'server.saveMessages'>

/** `known`: throws for a server that is not there. */
export function inspectorRequests({ platform, servers, store }: HostParts, known: (name: string) => string): Requests {
  return {
    'server.inspect'({ name, mode }) {
      const inspector = servers.inspector(known(name))
      if (inspector.mode === mode) return {}
      const decision = mode === undefined ? 'messages-not-recorded' : 'messages-recorded'
      store.audit.append({ kind: 'config', server: name, decision, by: 'person', ...(mode ? { detail: { from: mode } } : {}) })
      inspector.inspect(mode)
      return {}
    },
    'server.messages': ({ name, after }) => servers.inspector(known(name)).journal.after(after),
    'server.clearMessages'({ name }) {
      servers.inspector(known(name)).journal.clear()
      return {}
    },
    'server.saveMessages': async ({ name }) => ({
      path: await saveText(platform, {
        name,
        title: t`Where to save the messages of “${name}”`,
        ending: 'jsonl',
        text: () => messageLines(servers.inspector(known(name)).journal.all()),
      }),
    }),
  }
}
