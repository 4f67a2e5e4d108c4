// What a server wants of the host itself: an answer of the model (asked twice: the prompt going in, the answer going
// out) and the names of the person's folders.
import { isDeepStrictEqual } from 'node:util'
import type { ConsentRequestOf } from '#app/consent/request.ts'
import { applyEdit, type SamplingPrompt } from '#app/consent/sampling.ts'
import { HostError } from '#app/errors.ts'
import { type ApprovedSampling, mint } from './approved.ts'
import { jsonDigest, textDigest } from './digest.ts'
import { type Kit, requestBase } from './kit.ts'
import { refuse } from './refusal.ts'
import type { ConsentBroker, SamplingQuestion, Verdict } from './types.ts'

const why = { kind: 'server-asks' } as const

export async function askSampling(kit: Kit, question: SamplingQuestion): Promise<Verdict<ApprovedSampling>> {
  const { server, maxTokens } = question
  const { toolChoice } = question
  const messages = structuredClone([...question.messages])
  const tools = structuredClone([...question.tools])
  const original = structuredClone(question.original)
  const systemPrompt = question.systemPrompt === undefined ? {} : { systemPrompt: question.systemPrompt }
  const request: ConsentRequestOf<'sampling'> = {
    ...requestBase(kit, question, why),
    kind: 'sampling',
    messages: structuredClone(messages),
    tools: structuredClone(tools),
    toolChoice,
    ...systemPrompt,
    maxTokens,
    hints: [...question.hints],
    model: question.model,
  }
  return kit.queue.ask<Verdict<ApprovedSampling>>({
    request,
    signal: question.signal,
    onAsked: question.onAsked,
    withdrawn: { kind: 'withdrawn' },
    settle(answer, by) {
      if (answer.kind !== 'allow') return refuse(kit, request, answer, by)
      const model = answer.model ?? question.model
      const asked: SamplingPrompt = { ...systemPrompt, messages }
      const prompt = answer.prompt === undefined ? asked : applyEdit(asked, answer.prompt)
      if (!prompt) throw new HostError('contract.invalid', 'What was edited is not this prompt, or a message of it has no words left.')
      const edited = !isDeepStrictEqual(prompt, asked)
      kit.record.decided(request, 'allowed', by, { model, ...(edited ? { edited, prompt: jsonDigest(JSON.stringify(prompt)) } : {}) })
      return {
        outcome: 'allowed',
        value: {
          kind: 'allowed',
          decision: { allowed: true, by, scope: 'once', ...(edited ? { edited } : {}) },
          approval: mint<ApprovedSampling>({ server, model, ...prompt, tools, toolChoice, maxTokens, original }),
        },
      }
    },
  })
}

export async function askSamplingResult(kit: Kit, question: Parameters<ConsentBroker['samplingResult']>[0]): Promise<string | undefined> {
  const request: ConsentRequestOf<'sampling-result'> = {
    ...requestBase(kit, question, why),
    kind: 'sampling-result',
    model: question.model,
    text: question.text,
    calls: structuredClone([...question.calls]),
    ...(question.stopReason === undefined ? {} : { stopReason: question.stopReason }),
  }
  return kit.queue.ask<string | undefined>({
    request,
    signal: question.signal,
    onAsked: question.onAsked,
    withdrawn: undefined,
    settle(answer, by) {
      if (answer.kind !== 'allow') {
        kit.record.decided(request, 'denied', by)
        return { outcome: 'denied', value: undefined }
      }
      const text = answer.text ?? request.text
      kit.record.decided(request, 'allowed', by, text === request.text ? {} : { edited: true, text: textDigest(text) })
      return { outcome: 'allowed', value: text }
    },
  })
}

export async function askRoots(kit: Kit, question: Parameters<ConsentBroker['roots']>[0]): Promise<boolean> {
  const request: ConsentRequestOf<'roots'> = {
    ...requestBase(kit, question, why),
    kind: 'roots',
    roots: structuredClone([...question.roots]),
  }
  return kit.queue.ask<boolean>({
    request,
    signal: question.signal,
    onAsked: question.onAsked,
    withdrawn: false,
    settle(answer, by) {
      const allowed = answer.kind === 'allow'
      kit.record.decided(request, allowed ? 'allowed' : 'denied', by)
      return { outcome: allowed ? 'allowed' : 'denied', value: allowed }
    },
  })
}
