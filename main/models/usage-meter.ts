// Counts the usage of every answer by the provider's own figures, prices it, and stores it for the report. The practice model is not
// counted.
import { type BudgetUsage, budgetUsageOf, costOf, dayOf, type Price, type Usage } from '#app/models/usage.ts'
import type { Settings } from '#app/settings.ts'
import type { Clock } from '#main/base/clock.ts'
import type { UsageStore } from '#main/store/store-api.ts'
import type { Models } from './models-api.ts'
import type { ModelEvent } from './provider.ts'

export interface UsageMeterOptions {
  readonly store: UsageStore
  readonly clock: Clock
  readonly settings: () => Settings
  readonly onUsage: () => void
  readonly onError: (error: unknown) => void
}

export function meteredModels(models: Models, { store, clock, settings, onUsage, onError }: UsageMeterOptions): Models {
  async function* metered(...[model, request, signal]: Parameters<Models['stream']>): AsyncGenerator<ModelEvent> {
    const price = priceOf(models, settings(), model)
    let last: Usage | undefined
    try {
      for await (const event of models.stream(model, request, signal)) {
        if (event.type !== 'usage') yield event
        else {
          last = priced(event.usage, price)
          yield { type: 'usage', usage: last }
        }
      }
    } finally {
      if (last) count(model, last, request.use)
    }
  }
  function count(model: string, usage: Usage, asked: Parameters<Models['stream']>[1]['use']): void {
    try {
      const { purpose = 'answer', conversationId } = asked ?? {}
      store.add({ day: dayOf(clock.now()), model, purpose, conversationId, usage, cost: usage.cost })
      onUsage()
    } catch (error) {
      onError(error)
    }
  }
  return {
    ...models,
    stream: (model, request, signal) =>
      model.startsWith('practice/') ? models.stream(model, request, signal) : metered(model, request, signal),
  }
}

function priced(usage: Usage, price: Price | undefined): Usage {
  const cost = costOf(usage, price)
  return cost === undefined ? usage : { ...usage, cost }
}

/** Price by the person, else by the provider's list; a model on this computer costs nothing. */
function priceOf(models: Models, { prices }: Settings, id: string): Price | undefined {
  const model = models.find(id)
  const own = Object.hasOwn(prices, id) ? prices[id] : undefined
  if (own ?? model?.price) return own ?? model?.price
  const isLocal = models.providers().some((provider) => provider.id === model?.provider && provider.endpoint === 'local')
  return isLocal ? { input: 0, output: 0 } : undefined
}

/** State of this month's budget; `undefined` when there is none, or nothing to report. */
export function budgetNow(store: UsageStore, clock: Clock, { monthBudget }: Settings): BudgetUsage | undefined {
  if (!monthBudget) return undefined
  const today = dayOf(clock.now())
  return budgetUsageOf(monthBudget, store.total(`${today.slice(0, 7)}-01`, today))
}
