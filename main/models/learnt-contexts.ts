// Sizes of contexts that refusals named, for models whose list names none. Remembered between runs: the next conversation is compacted
// before the limit. A later refusal that names another size replaces it.
import { z } from 'zod'
import { HostError } from '#app/errors.ts'
import type { ModelInfo } from '#app/models/models.ts'
import { defined } from '#app/or-else.ts'
import type { SettingsStore } from '#main/store/store-api.ts'
import type { ModelEvent } from './provider.ts'

const FACT = 'models/learnt-contexts'
/** Models in the store; the ones learnt first are forgotten first. */
const MOST = 200
const kept = z.array(z.tuple([z.string(), z.number().int().positive()]))

export function learntContexts(settings: Pick<SettingsStore, 'fact' | 'setFact'>, changed: () => void) {
  const sizes = new Map(kept.safeParse(settings.fact(FACT)).data ?? [])

  function learn(modelId: string, error: unknown): void {
    const tokens = error instanceof HostError && error.code === 'model.too-long' ? error.data['contextTokens'] : undefined
    if (typeof tokens !== 'number' || sizes.get(modelId) === tokens) return
    sizes.delete(modelId)
    sizes.set(modelId, tokens)
    settings.setFact(FACT, [...sizes].slice(-MOST))
    changed()
  }

  return {
    /** Returns the model with the learnt size where its list names none. */
    withSize: (model: ModelInfo): ModelInfo => ({ ...defined({ contextTokens: sizes.get(model.id) }), ...model }),
    /** Passes the events on, and learns from the error that ends them. */
    async *learning(modelId: string, events: AsyncIterable<ModelEvent>): AsyncGenerator<ModelEvent> {
      try {
        yield* events
      } catch (error) {
        learn(modelId, error)
        throw error
      }
    },
  }
}
