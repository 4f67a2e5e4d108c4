import { withFreshInputs } from '#app/server/import/fresh-inputs.ts'
import type { HandlersOf, HostParts } from './handlers.ts'
import { bringBack } from './removed-servers.ts'

export const configRequests = (host: HostParts): HandlersOf<'config'> => ({
  'config.get': () => ({ path: host.config.path, text: host.config.text(), problems: host.config.problems() }),
  'config.save'({ text }) {
    const problems = host.config.saveText(text)
    bringBack(host)
    host.store.audit.append({ kind: 'config', decision: 'saved', by: 'person', detail: { problems: problems.length } })
    return { problems }
  },
  async 'config.parse'({ text }) {
    const { readSnippet } = await import('#app/server/import/read-snippet.ts')
    return withFreshInputs(readSnippet(text), new Set(host.config.inputs().keys()))
  },
})
