// Sampling (MCP, "Sampling"): a server asks for an answer of the person's model. The person approves the prompt, then the answer. The
// model gets the approved bytes alone: no conversation, and no tools but the server's, which only that server runs. `includeContext` is
// ignored, since all of that context would be another server's or the person's.
import type { CreateMessageRequestParams, CreateMessageResult } from '@modelcontextprotocol/client'
import { type SamplingCall, type SamplingWishes, samplingTexts } from '#app/consent/sampling.ts'
import type { JsonObject } from '#app/json.ts'
import { type ModelInfo, modelTraits } from '#app/models/models.ts'
import { isLocal } from '#app/server/definition.ts'
import { type ProtocolError, protocolError } from '#main/base/protocol-error.ts'
import type { RunningCalls } from '#main/servers/client/requests/running-calls.ts'
import type { AskedBy } from '#main/servers/client/requests/server-request-handlers.ts'
import type { ChatContext } from '../chat-context.ts'
import { withOrigin } from '../request-origin.ts'
import { runApproved } from './sampling-model.ts'
import { hasImages, readPrompt, readWishes } from './sampling-request.ts'

export interface ModelWishes extends Pick<SamplingWishes, 'priorities'> {
  readonly hints: readonly string[]
  /** Whether the prompt has images: models that take none come last. */
  readonly images: boolean
}

/**
 * Suggests a model (MCP, "Model Preferences"): the first hint that fits some model decides, priorities choose among those, or among all
 * models where no hint fits. The person may pick another. `fallback`: the model of new chats. The practice model is never suggested by
 * a server's wishes. Pure.
 */
export function chooseModel(
  { hints, priorities = {}, images }: ModelWishes,
  models: readonly ModelInfo[],
  fallback: string,
): { readonly model: string; readonly chosenBy: NonNullable<SamplingWishes['chosenBy']> } {
  const all = models.filter(({ ai }) => ai)
  const seeing = all.filter((model) => model.images !== false)
  const able = images && seeing.length > 0 ? seeing : all
  for (const hint of hints) {
    const fitting = able.filter((model) => answersTo(model, hint))
    const [best] = byPriorities(fitting, priorities, fallback)
    if (best) return { model: best.id, chosenBy: 'hint' }
  }
  const [best] = byPriorities(able, priorities, fallback)
  const minds = Object.values(priorities).some((share) => (share ?? 0) > 0)
  return best && minds ? { model: best.id, chosenBy: 'priorities' } : { model: fallback, chosenBy: 'default' }
}

function answersTo({ id, name }: ModelInfo, hint: string): boolean {
  const wanted = hint.toLowerCase()
  return modelNameOf(id).toLowerCase().includes(wanted) || name.toLowerCase().includes(wanted)
}

/** Sorts the best first; of equals the model of new chats, then in the order of the provider's list. */
function byPriorities(
  models: readonly ModelInfo[],
  { cost = 0, speed = 0, intelligence = 0 }: NonNullable<SamplingWishes['priorities']>,
  fallback: string,
): ModelInfo[] {
  const score = (model: ModelInfo): number => {
    const traits = modelTraits(model)
    return cost * traits.cheap + speed * traits.fast + intelligence * traits.able
  }
  return models.toSorted((a, b) => score(b) - score(a) || Number(b.id === fallback) - Number(a.id === fallback))
}

const modelNameOf = (modelId: string): string => modelId.slice(modelId.indexOf('/') + 1)

const REJECTED = -1
const rejected = (): ProtocolError => protocolError(REJECTED, 'User rejected sampling request')

/** @throws ProtocolError when the person refuses, or the request is invalid */
export function sample(
  context: ChatContext,
  running: RunningCalls,
  params: CreateMessageRequestParams,
  by: AskedBy,
): Promise<CreateMessageResult> {
  const { broker, clock, models, servers, settings } = context
  return withOrigin(running, by, async (origin): Promise<CreateMessageResult> => {
    const prompt = readPrompt(params)
    const { hints, ...wishes } = readWishes(params)
    const wished = { hints, priorities: wishes.priorities, images: hasImages(prompt.messages) }
    const { model, chosenBy } = chooseModel(wished, models.list(), settings().defaultModel)
    const definition = servers.view(by.server)?.definition
    const trusted = definition?.trusted === true
    const { systemPrompt, maxTokens } = params
    const question = { ...origin, ...prompt, systemPrompt, maxTokens, hints, model, trusted }
    const original = params as unknown as JsonObject
    const verdict = await broker.sampling({ ...question, original, wishes: { ...wishes, chosenBy } })
    if (verdict.kind !== 'allowed') throw rejected()
    const { approval, spent } = verdict
    const begun = clock.now()
    const { calls, stopReason, text, tokens } = await runApproved(models, approval, { signal: origin.signal, spent })
    const handed = await broker.samplingResult({
      ...origin,
      model: approval.model,
      text,
      calls,
      stopReason,
      sent: [approval.systemPrompt ?? '', ...samplingTexts(approval.messages)].filter((one) => one !== ''),
      took: { tokens, durationMs: clock.now() - begun },
      trusted,
      local: definition !== undefined && isLocal(definition),
    })
    if (handed === undefined) throw rejected()
    const content = toContent(handed, calls)
    return { model: modelNameOf(approval.model), role: 'assistant', content, stopReason } as CreateMessageResult
  })
}

/** Returns a single block where the answer is text only: a request without tools takes nothing else. */
function toContent(text: string, calls: readonly SamplingCall[]): JsonObject | JsonObject[] {
  if (calls.length === 0) return { type: 'text', text }
  const uses = calls.map(({ id, name, input }): JsonObject => ({ type: 'tool_use', id, name, input }))
  return text === '' ? uses : [{ type: 'text', text }, ...uses]
}
