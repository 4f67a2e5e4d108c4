// The model of new chats as long as the person has chosen none: an AI where there is a key for one, else the practice
// model. What the person chose is never changed.
import type { ModelInfo } from '#app/chat/models.ts'
import type { Settings } from '#app/settings.ts'
import type { SettingsStore } from '#main/store/types.ts'

const CHOSEN = 'default-model-chosen'

/** Remembers that the person chose the model of new chats. */
export const markModelChosen = (settings: SettingsStore): void => settings.setFact(CHOSEN, true)

/**
 * What the default should be now: of Anthropic's the first Sonnet (good, and not the dearest), else the first, else the
 * practice model. Never one of another endpoint: it may be any of hundreds, or a program that was only found here.
 */
export function fittingDefault(models: readonly ModelInfo[]): string | undefined {
  const known = models.filter(({ provider }) => provider === 'anthropic')
  return (known.find(({ id }) => id.includes('sonnet')) ?? known[0] ?? models.find(({ ai }) => !ai))?.id
}

/** The new settings when the default has to change, else undefined. */
export function adoptDefault(settings: SettingsStore, models: readonly ModelInfo[]): Settings | undefined {
  if (settings.fact(CHOSEN) === true) return undefined
  const fitting = fittingDefault(models)
  return fitting === undefined || fitting === settings.get().defaultModel ? undefined : settings.set({ defaultModel: fitting })
}
