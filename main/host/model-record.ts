// What goes to a model that runs elsewhere is on record: that it went, to which model, how much there was, and how it ended.
// The words themselves stand in the conversation. The practice model runs in here: nothing leaves.
import { toErrorValue } from '#app/errors.ts'
import type { JsonObject } from '#app/json.ts'
import { newId } from '#main/base/ids.ts'
import type { ModelEvent } from '#main/models/provider.ts'
import type { Models } from '#main/models/types.ts'
import type { AuditStore } from '#main/store/types.ts'

export function recordedModels(models: Models, audit: Pick<AuditStore, 'append'>): Models {
  async function* recorded(...[model, request, signal]: Parameters<Models['stream']>): AsyncGenerator<ModelEvent> {
    const exchange = { method: 'model', exchangeId: newId(), model }
    const row = (decision: string, detail: JsonObject): void =>
      void audit.append({ kind: 'exchange', decision, detail: { ...exchange, ...detail } })
    row('sent', { messages: request.messages.length, tools: request.tools.length })
    let usage: JsonObject = {}
    let ended = false
    try {
      for await (const event of models.stream(model, request, signal)) {
        if (event.type === 'usage') usage = { inputTokens: event.usage.inputTokens, outputTokens: event.usage.outputTokens }
        if (event.type === 'done') {
          ended = true
          row('done', { ...usage, reason: event.reason })
        }
        yield event
      }
    } catch (error) {
      ended = true
      const { code } = toErrorValue(error)
      row(code === 'cancelled' ? 'cancelled' : 'failed', { ...usage, code })
      throw error
    } finally {
      if (!ended) row('cancelled', usage)
    }
  }
  return {
    ...models,
    stream: (model, request, signal) =>
      model.startsWith('practice/') ? models.stream(model, request, signal) : recorded(model, request, signal),
  }
}
