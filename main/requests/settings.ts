import { markModelChosen } from '#main/host/default-model.ts'
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
    const settings = host.store.settings.set(sent(patch))
    // Before anybody is told, and says something about it.
    if (patch.language !== undefined) host.platform.speak?.(settings.language)
    host.emit('settings.changed', { settings })
    return {}
  },
})
