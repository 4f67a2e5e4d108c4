// The model of new chats as long as the person has chosen none: an AI where a provider lists one, else the practice
// model. What the person chose is never changed.
import type { ModelInfo } from '#app/chat/models.ts'
import type { Settings } from '#app/settings.ts'
import type { SettingsStore } from '#main/store/types.ts'

const CHOSEN = 'default-model-chosen'

/** Remembers that the person chose the model of new chats. */
export const markModelChosen = (settings: SettingsStore): void => settings.setFact(CHOSEN, true)

/** What the default should be now: of the AIs the first Sonnet (good, and not the dearest), else the first. */
export function fittingDefault(models: readonly ModelInfo[]): string | undefined {
  const ai = models.filter((model) => model.ai)
  return (ai.find(({ id }) => id.includes('sonnet')) ?? ai[0] ?? models[0])?.id
}

/** The new settings when the default has to change, else undefined. */
export function adoptDefault(settings: SettingsStore, models: readonly ModelInfo[]): Settings | undefined {
  if (settings.fact(CHOSEN) === true) return undefined
  const fitting = fittingDefault(models)
  return fitting === undefined || fitting === settings.get().defaultModel ? undefined : settings.set({ defaultModel: fitting })
}
