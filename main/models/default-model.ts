// The model of new chats: one of the provider that the person added last, or the one that they chose since. Until then an AI whose key
// is in the environment, else the practice model.
import { fromErrorValue, HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { ModelInfo } from '#app/models/models.ts'
import type { Settings } from '#app/settings.ts'
import type { SettingsStore } from '#main/store/store-api.ts'
import type { Models } from './models-api.ts'

/** @throws {HostError} `model.*` of the provider's last failure, `model.key-missing`, or `model.unknown` when no list has the model */
export function requireModel(models: Pick<Models, 'find' | 'list' | 'providers'>, id: string): ModelInfo {
  const found = models.find(id)
  if (found) return found
  const provider = models.providers().find((one) => id.startsWith(`${one.id}/`))
  if (provider?.error) throw fromErrorValue({ ...provider.error, data: { ...provider.error.data, model: id } })
  if (provider?.key.kind === 'missing')
    throw new HostError('model.key-missing', t`There is no key for ${provider.name}.`, { data: { model: id, provider: provider.id } })
  const known = models.list().map((model) => model.id)
  const pull = provider?.ollama && !/[:-]cloud$/.test(id) ? { pull: id } : {}
  throw new HostError('model.unknown', `${t`There is no model “${id}”.`} ${t`There are: ${known.join(', ')}.`}`, {
    data: { model: id, ...pull },
  })
}

/** Returns the models that a short form may mean: the very id, else the name after the provider, else its last part, else a part of the id. */
export function candidates(models: readonly ModelInfo[], typed: string): readonly ModelInfo[] {
  const short = typed.trim().toLowerCase()
  const ways: readonly ((id: string) => boolean)[] = [
    (id) => id === short,
    (id) => id.slice(id.indexOf('/') + 1) === short,
    (id) => id.slice(id.lastIndexOf('/') + 1) === short,
    (id) => short !== '' && id.includes(short),
  ]
  for (const isMeant of ways) {
    const found = models.filter(({ id }) => isMeant(id.toLowerCase()))
    if (found.length > 0) return found
  }
  return []
}

/** Returns the whole id of the model that a short form names. @throws {HostError} as `requireModel`; `model.unknown` when it may mean several */
export function modelByShortName(models: Pick<Models, 'find' | 'list' | 'providers'>, typed: string): string {
  const exact = models.find(typed)
  const found = exact ? [exact] : candidates(models.list(), typed)
  const [one, ...others] = found
  if (!one) return requireModel(models, typed).id
  if (others.length === 0) return one.id
  const ids = found.map(({ id }) => id)
  throw new HostError('model.unknown', t`“${typed}” may mean ${ids.join(', ')}. Name one of them.`, {
    data: { model: typed, candidates: ids },
  })
}

const CHOSEN = 'default-model-chosen'

/** Remembers that the person chose the model of new chats. */
export const markModelChosen = (settings: SettingsStore): void => settings.setFact(CHOSEN, true)

/** Families of good models that are not the most expensive, of vendors with long lists, the best known first. */
const usual: readonly RegExp[] = [
  // At Vertex (`…@default`) each Claude has to be enabled first.
  /sonnet(?!.*@)/i,
  /(?:^|\/)gpt-\d+(?:\.\d+)?$/i,
  /(?:^|\/)gemini-[\d.]+-flash$/i,
  /(?:^|\/)mistral-medium-latest$/i,
  /(?:^|\/)deepseek-(?:v\d|chat)/i,
  /(?:^|\/)grok-\d/i,
]
/** Families whose lists have no order: the highest version in the name is the newest. */
const numbered = new Set(usual.slice(0, 3))
/** Version in a model's name, without what a gateway, a region or a date adds. */
const versionOf = ({ id }: ModelInfo): string => /(?:claude|gpt|gemini).*$/i.exec(id)?.[0].replace(/[-@]20\d{6}.*$/, '') ?? ''

/** Returns the model that new chats begin with: one of a usual family that takes tools, else the first. */
export function fittingAmong(models: readonly ModelInfo[]): ModelInfo | undefined {
  const able = models.filter(({ ai, tools, chat, status }) => ai && tools !== false && chat !== false && status !== 'deprecated')
  for (const family of usual) {
    const found = able.filter(({ id, provider }) => family.test(id.slice(provider.length + 1)))
    const newer = (a: ModelInfo, b: ModelInfo): number => versionOf(b).localeCompare(versionOf(a), 'en', { numeric: true })
    const [first] = numbered.has(family) ? found.toSorted(newer) : found
    if (first) return first
  }
  return able[0] ?? models.find(({ ai }) => ai)
}

/**
 * Returns the default where no endpoint was added: a model of Anthropic, else the practice model. A model that was found on this computer
 * is never the default: any program may listen on its port.
 */
export function fittingDefault(models: readonly ModelInfo[]): string | undefined {
  const known = models.filter(({ provider }) => provider === 'anthropic')
  return (fittingAmong(known) ?? models.find(({ ai }) => !ai))?.id
}

/** Returns the new settings when the default has to change. An adopted model of an endpoint stays as long as it exists. */
export function adoptDefault(settings: SettingsStore, models: readonly ModelInfo[]): Settings | undefined {
  if (settings.fact(CHOSEN) === true) return undefined
  const { defaultModel } = settings.get()
  const current = models.find(({ id }) => id === defaultModel)
  if (current?.ai && current.provider !== 'anthropic') return undefined
  const fitting = fittingDefault(models)
  return fitting === undefined || fitting === defaultModel ? undefined : settings.set({ defaultModel: fitting })
}

/**
 * Returns the new settings when one of `added` becomes the default. `isNew`: the person just added its provider, which is why they want it;
 * otherwise it replaces the practice model alone.
 */
export function adoptAdded(
  settings: SettingsStore,
  models: readonly ModelInfo[],
  added: readonly ModelInfo[],
  isNew = false,
): Settings | undefined {
  const { defaultModel } = settings.get()
  const fitting = fittingAmong(added)
  const current = models.find(({ id }) => id === defaultModel)
  if (!fitting || fitting.provider === current?.provider) return undefined
  if (!isNew && current?.ai !== false) return undefined
  // The host chose it: when the model is removed, the practice model becomes the default again.
  settings.setFact(CHOSEN, false)
  return settings.set({ defaultModel: fitting.id })
}
