// The model of new chats as long as the person has chosen none: an AI that was added, else the practice model. What the person
// chose is never changed, but the practice model gives way to the AI that is added, or chosen for a chat, after it. Why a model
// is not there: its provider has no key, its list could not be fetched, or no list has it. "Unknown" is said only of a model
// that was really looked for.
import { fromErrorValue, HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { ModelInfo } from '#app/models/models.ts'
import type { Settings } from '#app/settings.ts'
import type { SettingsStore } from '#main/store/store-api.ts'
import type { Models } from './models-api.ts'

/** Throws what the provider failed with (`model.key-refused`, `model.offline`, …), `model.key-missing`, or `model.unknown`. */
export function requireModel(models: Pick<Models, 'find' | 'list' | 'providers'>, id: string): ModelInfo {
  const found = models.find(id)
  if (found) return found
  const provider = models.providers().find((one) => id.startsWith(`${one.id}/`))
  if (provider?.error) throw fromErrorValue({ ...provider.error, data: { ...provider.error.data, model: id } })
  if (provider?.key.kind === 'missing')
    throw new HostError('model.key-missing', t`There is no key for ${provider.name}.`, { data: { model: id, provider: provider.id } })
  const known = models.list().map((model) => model.id)
  throw new HostError('model.unknown', t`There is no model “${id}”. There are: ${known.join(', ')}.`, { data: { model: id } })
}

const CHOSEN = 'default-model-chosen'

/** Remembers that the person chose the model of new chats. */
export const markModelChosen = (settings: SettingsStore): void => settings.setFact(CHOSEN, true)

/** Good and not the dearest, of makers whose lists are long, the best known first; within one the highest number, or as listed. */
const usual: readonly RegExp[] = [
  /sonnet/i,
  /(?:^|\/)gpt-\d+(?:\.\d+)?$/i,
  /(?:^|\/)gemini-[\d.]+-flash$/i,
  /(?:^|\/)mistral-medium-latest$/i,
  /(?:^|\/)deepseek-(?:v\d|chat)/i,
  /(?:^|\/)grok-\d/i,
]
/** Lists in no order, whose versions are in the name. */
const numbered = usual[1]

/** Which of a provider's models new chats begin with, where nobody has chosen: one that takes tools, of a usual family, else the first. */
export function fittingAmong(models: readonly ModelInfo[]): ModelInfo | undefined {
  const able = models.filter(({ ai, tools }) => ai && tools !== false)
  for (const family of usual) {
    const found = able.filter(({ id, provider }) => family.test(id.slice(provider.length + 1)))
    const [first] = family === numbered ? found.toSorted((a, b) => b.id.localeCompare(a.id, 'en', { numeric: true })) : found
    if (first) return first
  }
  return able[0] ?? models.find(({ ai }) => ai)
}

/**
 * What the default should be where nothing was added but by the environment: one of Anthropic's, else the practice model. Never one
 * that was only found here: any program may listen.
 */
export function fittingDefault(models: readonly ModelInfo[]): string | undefined {
  const known = models.filter(({ provider }) => provider === 'anthropic')
  return (fittingAmong(known) ?? models.find(({ ai }) => !ai))?.id
}

/** The new settings when the default has to change, else undefined. An endpoint's model that was adopted stays as long as it is there. */
export function adoptDefault(settings: SettingsStore, models: readonly ModelInfo[]): Settings | undefined {
  if (settings.fact(CHOSEN) === true) return undefined
  const { defaultModel } = settings.get()
  const current = models.find(({ id }) => id === defaultModel)
  if (current?.ai && current.provider !== 'anthropic') return undefined
  const fitting = fittingDefault(models)
  return fitting === undefined || fitting === defaultModel ? undefined : settings.set({ defaultModel: fitting })
}

/** The new settings where the practice model gives way to one of `added`, else undefined. */
export function adoptAdded(settings: SettingsStore, models: readonly ModelInfo[], added: readonly ModelInfo[]): Settings | undefined {
  const { defaultModel } = settings.get()
  const fitting = fittingAmong(added)
  if (!fitting || models.find(({ id }) => id === defaultModel)?.ai !== false) return undefined
  // It was the host's choice: when the model goes, the practice model takes its place again.
  settings.setFact(CHOSEN, false)
  return settings.set({ defaultModel: fitting.id })
}
