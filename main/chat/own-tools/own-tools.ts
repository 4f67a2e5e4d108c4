// The host's own tools: the list of them, and how a call of one is run (see `types.ts`).
import type { Conversation } from '#app/chat/conversation.ts'
import type { Decision, ToolCall } from '#app/chat/message.ts'
import { stripHidden } from '#app/consent/reveal.ts'
import { isJsonObject } from '#app/json.ts'
import type { ModelTool } from '#main/models/provider.ts'
import { orAborted } from '../abort.ts'
import type { ChatOptions } from '../deps.ts'
import type { StepContext } from '../step.ts'
import type { MessageWriter } from '../writer.ts'
import { findTools } from './find-tools.ts'
import { readResult } from './read-result.ts'
import type { OwnTool } from './types.ts'

const all: readonly OwnTool[] = [readResult, findTools]

/** Characters of one result: a few thousand tokens. */
export const LONGEST_OWN_RESULT = 24_000

export const ownTool = (modelName: string): OwnTool | undefined => all.find(({ name }) => name === modelName)

/** Those of use in a conversation, in a stable order. */
export function offeredOwnTools(
  deps: Pick<ChatOptions, 'store' | 'servers' | 'models' | 'settings'>,
  conversation: Conversation,
): OwnTool[] {
  // The practice model reads all that is at hand: it has nothing to read on in.
  const useful = deps.models.find(conversation.model)?.ai === false ? [findTools] : all
  return useful
    .filter((tool) => tool.isOffered({ deps, conversation }))
    .map((tool) => (tool.about ? { ...tool, description: `${tool.description} ${tool.about({ deps, conversation })}` } : tool))
}

export const toOwnModelTool = ({ name, title, description, inputSchema }: OwnTool): ModelTool => ({
  name,
  description,
  inputSchema,
  title,
  ...(name === findTools.name ? { finds: true } : {}),
})

export const byHost: Decision = { allowed: true, by: 'host', scope: 'once' }

/** Ends as a state of the call that the model can read. Rejects when that cannot be written, or it was aborted. */
export async function runOwnTool(tool: OwnTool, call: ToolCall, writer: MessageWriter, context: StepContext): Promise<void> {
  const { deps, conversationId, signal } = context
  const conversation = deps.store.conversations.get(conversationId)
  const input = call.arguments
  if (!conversation || !isJsonObject(input)) return
  writer.step(call.id, { kind: 'allowed', decision: byHost, at: deps.clock.now() })
  const work = Promise.resolve(tool.run(input, { deps, conversation, callId: call.id, signal }))
  const { text, isError = false, structured } = await orAborted(work, signal)
  const clean = stripHidden(text)
  const said = clean.length > LONGEST_OWN_RESULT ? `${clean.slice(0, LONGEST_OWN_RESULT)}\n[cut here: it is longer]` : clean
  const result = {
    content: [{ type: 'text' as const, text: said }],
    ...(structured ? { structuredContent: structured } : {}),
    isError,
    bytes: Buffer.byteLength(said),
  }
  writer.step(call.id, { kind: 'finished', result, at: deps.clock.now() })
}
