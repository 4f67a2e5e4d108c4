import { isDeepStrictEqual } from 'node:util'
import { markModelChosen } from '#main/host/default-model.ts'
import { checkedFolders } from '#main/host/folders.ts'
import { requireModel } from '#main/models/require-model.ts'
import type { HandlersOf, HostParts } from './handlers.ts'

/** Keys that are there but undefined would overwrite; only what was sent counts. */
const sent = <T extends object>(patch: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as { [K in keyof T]?: Exclude<T[K], undefined> }

export const settingsRequests = (host: HostParts): HandlersOf<'settings'> => ({
  'settings.set'(patch) {
    if (patch.defaultModel !== undefined) {
      requireModel(host.models, patch.defaultModel)
      markModelChosen(host.store.settings)
    }
    const before = host.store.settings.get().roots
    const roots = patch.roots && checkedFolders(patch.roots, before)
    const changed = roots !== undefined && !isDeepStrictEqual(roots, before)
    // On record first: more folders are more that servers may be told of.
    if (changed) host.store.audit.append({ kind: 'config', decision: 'folders', by: 'person', detail: { roots } })
    host.emit('settings.changed', { settings: host.store.settings.set(sent({ ...patch, roots })) })
    if (changed) host.servers.rootsChanged()
    return {}
  },
})
