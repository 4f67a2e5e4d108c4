import { adoptAdded } from '#main/host/default-model.ts'
import type { HandlersOf, HostParts } from './handlers.ts'

/** New chats begin with a model that was just added, where they began with the practice model. */
export function adopt(host: HostParts, provider: string, model?: string): void {
  const models = host.models.list()
  const added = models.filter((one) => one.provider === provider && (model === undefined || one.id === model))
  const settings = adoptAdded(host.store.settings, models, added)
  if (settings) host.emit('settings.changed', { settings })
}

export function modelRequests(host: HostParts): HandlersOf<'key' | 'models' | 'endpoint'> {
  const record = (provider: string, decision: 'set' | 'removed'): void =>
    void host.store.audit.append({ kind: 'key', decision, by: 'person', detail: { provider, kept: host.platform.secrets.kind } })

  return {
    async 'key.set'({ provider, key }) {
      const models = await host.models.setKey(provider, key)
      record(provider, 'set')
      adopt(host, provider)
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
      adopt(host, saved.id)
      return saved
    },
    async 'endpoint.remove'({ id }) {
      await host.models.removeEndpoint(id)
      record(id, 'removed')
      return {}
    },
  }
}
