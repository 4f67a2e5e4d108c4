// A server asks for an answer of the person's model (MCP, "Sampling"). Two assents: to the prompt, and to the answer. The
// model sees the approved bytes alone: no conversation, no other server's words, and no tools but those that the asking
// server names, which only that server runs. `includeContext` is heeded nowhere: all of it would be another's.
import { type CreateMessageRequestParams, type CreateMessageResult, ProtocolError } from '@modelcontextprotocol/client'
import type { ModelInfo } from '#app/chat/models.ts'
import type { SamplingCall } from '#app/consent/sampling.ts'
import type { JsonObject } from '#app/json.ts'
import type { AskedBy } from '#main/servers/handlers.ts'
import type { ChatOptions } from './deps.ts'
import { withOrigin } from './origin.ts'
import type { RunningCalls } from './running.ts'
import { runApproved } from './sampling-model.ts'
import { readPrompt } from './sampling-request.ts'

const REJECTED = -1
const rejected = (): ProtocolError => new ProtocolError(REJECTED, 'User rejected sampling request')

export function sample(
  deps: ChatOptions,
  running: RunningCalls,
  params: CreateMessageRequestParams,
  by: AskedBy,
): Promise<CreateMessageResult> {
  const { broker, models, settings } = deps
  return withOrigin(running, by, async (origin): Promise<CreateMessageResult> => {
    const prompt = readPrompt(params)
    const hints = (params.modelPreferences?.hints ?? []).flatMap(({ name }) => (name ? [name] : []))
    const model = chooseModel(hints, models.list(), settings().defaultModel)
    const { systemPrompt, maxTokens } = params
    const original = params as unknown as JsonObject
    const verdict = await broker.sampling({ ...origin, ...prompt, systemPrompt, maxTokens, hints, model, original })
    if (verdict.kind !== 'allowed') throw rejected()
    const { calls, stopReason, ...answer } = await runApproved(models, verdict.approval, origin.signal)
    const text = await broker.samplingResult({ ...origin, model: verdict.approval.model, text: answer.text, calls, stopReason })
    if (text === undefined) throw rejected()
    return {
      model: plainName(verdict.approval.model),
      role: 'assistant',
      content: toContent(text, calls),
      stopReason,
    } as CreateMessageResult
  })
}

/** One block alone where the answer is text: a request without tools gets nothing else. */
function toContent(text: string, calls: readonly SamplingCall[]): JsonObject | JsonObject[] {
  if (calls.length === 0) return { type: 'text', text }
  const uses = calls.map(({ id, name, input }): JsonObject => ({ type: 'tool_use', id, name, input }))
  return text === '' ? uses : [{ type: 'text', text }, ...uses]
}

/** The first hint that is part of a model's id or name decides; else the model of new chats. */
export function chooseModel(hints: readonly string[], models: readonly ModelInfo[], fallback: string): string {
  for (const hint of hints) {
    const wanted = hint.toLowerCase()
    const found = models.find(
      ({ id, name, ai }) => ai && (plainName(id).toLowerCase().includes(wanted) || name.toLowerCase().includes(wanted)),
    )
    if (found) return found.id
  }
  return fallback
}

const plainName = (modelId: string): string => modelId.slice(modelId.indexOf('/') + 1)
