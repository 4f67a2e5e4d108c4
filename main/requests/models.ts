import type { HandlersOf, HostParts } from './handlers.ts'

export function modelRequests(host: HostParts): HandlersOf<'key' | 'models' | 'endpoint'> {
  const record = (provider: string, decision: 'set' | 'removed'): void =>
    void host.store.audit.append({ kind: 'key', decision, by: 'person', detail: { provider, kept: host.platform.secrets.kind } })

  return {
    async 'key.set'({ provider, key }) {
      const models = await host.models.setKey(provider, key)
      record(provider, 'set')
      return { models }
    },
    async 'key.remove'({ provider }) {
      await host.models.removeKey(provider)
      record(provider, 'removed')
      return {}
    },
    async 'models.refresh'() {
      await host.models.refresh()
      return {}
    },
    async 'models.look'({ again = false }) {
      await host.models.lookHere(again)
      return {}
    },
    async 'endpoint.save'(draft) {
      const saved = await host.models.saveEndpoint(draft)
      record(saved.id, 'set')
      return saved
    },
    async 'endpoint.remove'({ id }) {
      await host.models.removeEndpoint(id)
      record(id, 'removed')
      return {}
    },
  }
}
