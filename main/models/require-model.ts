// Why a model is not there: its provider has no key, its list could not be fetched, or no list has it. "Unknown" is said
// only of a model that was really looked for.
import type { ModelInfo } from '#app/chat/models.ts'
import { fromErrorValue, HostError } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'
import type { Models } from './types.ts'

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
