// Models as this host has them: counted, on record, and with one that new chats begin with.
import type { EventHub } from '#main/base/events.ts'
import { createModels, type ModelsOptions } from '#main/models/models.ts'
import type { Models } from '#main/models/types.ts'
import type { Store } from '#main/store/types.ts'
import { adoptDefault } from './default-model.ts'
import { recordedModels } from './model-record.ts'
import { meteredModels, type UseMeterOptions } from './use-meter.ts'

export interface ModelsHere extends Pick<UseMeterOptions, 'onUse' | 'onError'> {
  readonly store: Pick<Store, 'settings' | 'use' | 'audit'>
  readonly hub: EventHub
}

/** Listens for as long as the hub is there. */
export function openModels(options: Omit<ModelsOptions, 'settings'>, { store, hub, onUse, onError }: ModelsHere): Models {
  const reached = createModels({ ...options, settings: store.settings })
  const settings = () => store.settings.get()
  const counted = meteredModels(reached, { use: store.use, clock: options.clock, settings, onUse, onError })
  const models = recordedModels(counted, store.audit)
  hub.onEvent(({ name }) => {
    const adopted = name === 'models.changed' ? adoptDefault(store.settings, models.list()) : undefined
    if (adopted) options.emit('settings.changed', { settings: adopted })
  })
  return models
}
