// A server asks for an answer of the person's model (MCP, "Sampling"). Two assents: to the prompt, and to the answer. The
// model sees the approved bytes alone: no conversation, no other server's words, and no tools but those that the asking
// server names, which only that server runs. `includeContext` is heeded nowhere: all of it would be another's.
import type { CreateMessageRequestParams, CreateMessageResult } from '@modelcontextprotocol/client'
import { type SamplingCall, textsOf } from '#app/consent/sampling.ts'
import type { JsonObject } from '#app/json.ts'
import { isLocal } from '#app/server/definition.ts'
import { type ProtocolError, protocolError } from '#main/base/protocol-error.ts'
import type { AskedBy } from '#main/servers/handlers.ts'
import { chooseModel, plainName } from './choose-model.ts'
import type { ChatOptions } from './deps.ts'
import { withOrigin } from './origin.ts'
import type { RunningCalls } from './running.ts'
import { runApproved } from './sampling-model.ts'
import { hasImages, readPrompt, readWishes } from './sampling-request.ts'

const REJECTED = -1
const rejected = (): ProtocolError => protocolError(REJECTED, 'User rejected sampling request')

export function sample(
  deps: ChatOptions,
  running: RunningCalls,
  params: CreateMessageRequestParams,
  by: AskedBy,
): Promise<CreateMessageResult> {
  const { broker, clock, models, servers, settings } = deps
  return withOrigin(running, by, async (origin): Promise<CreateMessageResult> => {
    const prompt = readPrompt(params)
    const { hints, ...wishes } = readWishes(params)
    const { model, chosenBy } = chooseModel(
      { hints, priorities: wishes.priorities, images: hasImages(prompt.messages) },
      models.list(),
      settings().defaultModel,
    )
    const definition = servers.view(by.server)?.definition
    const trusted = definition?.trusted === true
    const { systemPrompt, maxTokens } = params
    const original = params as unknown as JsonObject
    const verdict = await broker.sampling({
      ...origin,
      ...prompt,
      systemPrompt,
      maxTokens,
      hints,
      model,
      original,
      wishes: { ...wishes, chosenBy },
      trusted,
    })
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
      sent: [approval.systemPrompt ?? '', ...textsOf(approval.messages)].filter((one) => one !== ''),
      took: { tokens, durationMs: clock.now() - begun },
      trusted,
      local: definition !== undefined && isLocal(definition),
    })
    if (handed === undefined) throw rejected()
    return {
      model: plainName(approval.model),
      role: 'assistant',
      content: toContent(handed, calls),
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
