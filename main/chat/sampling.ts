// A server asks for an answer of the person's model (MCP, "Sampling"). Text only; two assents: to the prompt, and to the
// answer. The model sees the approved bytes alone: no conversation, no tools, no other server's words.
import { type CreateMessageRequestParams, type CreateMessageResult, ProtocolError } from '@modelcontextprotocol/client'
import type { ModelInfo } from '#app/chat/models.ts'
import { HostError } from '#app/errors.ts'
import type { JsonObject } from '#app/json.ts'
import { type ApprovedSampling, spend } from '#main/consent/approved.ts'
import type { ModelMessage } from '#main/models/provider.ts'
import type { AskedBy } from '#main/servers/handlers.ts'
import type { ChatOptions } from './deps.ts'
import { INTERNAL_ERROR, INVALID_PARAMS, withOrigin } from './origin.ts'
import type { RunningCalls } from './running.ts'

const REJECTED = -1
const rejected = (): ProtocolError => new ProtocolError(REJECTED, 'User rejected sampling request')

export interface SamplingText {
  readonly role: 'user' | 'assistant'
  readonly text: string
}

export function sample(
  deps: ChatOptions,
  running: RunningCalls,
  params: CreateMessageRequestParams,
  by: AskedBy,
): Promise<CreateMessageResult> {
  const { broker, models, settings } = deps
  return withOrigin(running, by, async (origin): Promise<CreateMessageResult> => {
    const messages = samplingTexts(params)
    const hints = (params.modelPreferences?.hints ?? []).flatMap(({ name }) => (name ? [name] : []))
    const model = chooseModel(hints, models.list(), settings().defaultModel)
    const { systemPrompt, maxTokens } = params
    const original = params as unknown as JsonObject
    const verdict = await broker.sampling({ ...origin, messages, systemPrompt, maxTokens, hints, model, original })
    if (verdict.kind !== 'allowed') throw rejected()
    const answer = await runApproved(deps, verdict.approval, origin.signal)
    const { stopReason } = answer
    const text = await broker.samplingResult({ ...origin, model: verdict.approval.model, text: answer.text, stopReason })
    if (text === undefined) throw rejected()
    return { model: plainName(verdict.approval.model), role: 'assistant', content: { type: 'text', text }, stopReason }
  })
}

/** Throws a protocol error that says what this host does not take. */
export function samplingTexts(params: CreateMessageRequestParams): SamplingText[] {
  if (params.tools !== undefined && params.tools.length > 0)
    throw new ProtocolError(INVALID_PARAMS, 'This host takes no tools in sampling requests')
  return params.messages.map(({ role, content }) => {
    const blocks = Array.isArray(content) ? content : [content]
    const texts = blocks.map((block) => {
      if (block.type === 'text') return block.text
      throw new ProtocolError(INVALID_PARAMS, `This host takes only text in sampling requests, not ${JSON.stringify(block.type)}`)
    })
    return { role, text: texts.join('\n') }
  })
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

async function runApproved(
  { models }: ChatOptions,
  approval: ApprovedSampling,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly stopReason: 'endTurn' | 'maxTokens' }> {
  const approved = spend(approval)
  const limit = models.find(approved.model)?.maxOutputTokens ?? Number.POSITIVE_INFINITY
  const request = {
    system: approved.systemPrompt ?? '',
    messages: approved.messages.map(({ role, text }): ModelMessage => {
      const content = [{ type: 'text', text }] as const
      return role === 'user' ? { role, content } : { role, model: '', content }
    }),
    tools: [],
    maxTokens: Math.max(1, Math.min(approved.maxTokens, limit)),
  }
  let text = ''
  try {
    for await (const event of models.stream(approved.model, request, signal)) {
      if (event.type === 'text') text += event.text
      if (event.type !== 'done') continue
      if (event.reason === 'refusal') throw new HostError('model.refused', 'The model refused to answer.')
      return { text, stopReason: event.reason === 'max-tokens' ? 'maxTokens' : 'endTurn' }
    }
  } catch (error) {
    // The server learns that it failed and of which kind, not what the provider said.
    throw new ProtocolError(INTERNAL_ERROR, `The model did not answer (${error instanceof HostError ? error.code : 'internal'})`)
  }
  throw new ProtocolError(INTERNAL_ERROR, 'The model did not answer (model.bad-answer)')
}
