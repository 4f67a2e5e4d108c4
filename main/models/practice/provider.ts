// The practice model: always there, no key, no network, no AI. It streams like any other, so that the rest of the host
// is tried out for real.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ModelInfo } from '#app/chat/models.ts'
import { HostError } from '#app/errors.ts'
import { estimateTokens } from '#app/text.ts'
import { t } from '#app/words/translate.ts'
import type { Clock } from '#main/base/clock.ts'
import { newId } from '#main/base/ids.ts'
import type { ModelEvent, ModelProvider, ModelRequest } from '../provider.ts'
import { planNext } from './plan.ts'

export const practiceModel: ModelInfo = {
  id: 'practice/practice',
  provider: 'practice',
  get name() {
    return t`Practice model`
  },
  images: false,
  ai: false,
}

export function createPractice(options: { readonly clock: Clock }): ModelProvider {
  return {
    id: 'practice',
    get name() {
      return practiceModel.name
    },
    listModels: () => Promise.resolve([practiceModel]),
    stream: (request, signal) => stream(request, signal, options.clock.now()),
  }
}

async function* stream(request: ModelRequest, signal: AbortSignal, now: number): AsyncGenerator<ModelEvent> {
  const plan = planNext(request, now)
  let index = 0
  if (plan.text !== '') {
    for (const word of plan.text.match(/\S+\s*|\s+/g) ?? []) {
      await nextTurn()
      if (signal.aborted) throw new HostError('cancelled', t`The request was cancelled.`)
      yield { type: 'text', index, text: word }
    }
    index += 1
  }
  for (const call of plan.kind === 'call' ? plan.calls : []) {
    const providerId = `practice_${newId()}`
    yield { type: 'tool-call-start', index, providerId, name: call.name }
    yield { type: 'tool-call', index, providerId, name: call.name, inputText: JSON.stringify(call.input) }
    index += 1
  }
  yield { type: 'usage', usage: { inputTokens: 0, outputTokens: estimateTokens(plan.text) } }
  yield { type: 'done', reason: plan.kind === 'call' ? 'tool-calls' : 'end' }
}
