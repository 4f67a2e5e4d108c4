// One request to the model: system prompt, history, and the tools in a stable order.
import type { Conversation } from '#app/chat/conversation.ts'
import type { Message } from '#app/chat/message.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import type { ModelInfo } from '#app/models/models.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'
import { hasHidden, stripHidden } from '#app/text/hidden-characters.ts'
import type { ModelRequest, ModelTool } from '#main/models/provider.ts'
import type { OfferedTool } from '#main/servers/client/requests/running-calls.ts'
import { offeredBuiltinTools, toBuiltinModelTool } from '../builtin-tools/builtin-tools.ts'
import { READ_RESULT } from '../builtin-tools/read-result.ts'
import type { ChatContext } from '../chat-context.ts'
import { type Reader, sliceBytesFor } from '../results/result-text.ts'
import { isUnread } from '../steering.ts'
import { chooseTools, folderOf, isServerOffered, notSent } from '../tools/tool-choice.ts'
import { toModelMessages } from './model-history.ts'
import { shownInstructions, systemPrompt } from './system-prompt.ts'

type ContextDeps = Pick<ChatContext, 'store' | 'servers' | 'models' | 'settings'>

/** All that a request to the model is made of, read once. */
export interface GatheredContext {
  readonly conversation: Conversation
  readonly info: ModelInfo | undefined
  readonly system: string
  readonly instructions: ReturnType<typeof shownInstructions>
  readonly tools: readonly ModelTool[]
  /** What the provider searches itself, where it does. */
  readonly searchable: readonly ModelTool[]
  /** The path, with its summaries. */
  readonly messages: readonly Message[]
  readonly reader: Reader
}

/** `unread`: what the person has added to the turn and no request has held yet is among the messages. */
export function gatherContext(deps: ContextDeps, conversation: Conversation, { unread = true } = {}): GatheredContext {
  const { store, servers, models } = deps
  const info = models.find(conversation.model)
  const folder = folderOf(store, conversation)
  // The host's own stand first: a remembered tool of a server that bears the name of one is not offered.
  const own = offeredBuiltinTools(deps, conversation).map(toBuiltinModelTool)
  const isOfServer = ({ name }: ModelTool): boolean => !own.some((one) => one.name === name)
  const choice = chooseTools(deps, conversation)
  const { sent, deferred } = choice
  const offered = toModelTools(sent).map((tool) => (deferred.has(tool.name) ? { ...tool, deferred: true as const } : tool))
  const instructions = servers.instructions().filter(({ server }) => isServerOffered(conversation, folder, server))
  const personal = conversation.parameters?.systemPrompt
  const facts = { begun: conversation.createdAt, folder: folder?.systemPrompt, personal, instructions }
  return {
    conversation,
    info,
    system: systemPrompt(facts),
    instructions: shownInstructions(instructions),
    tools: [...own, ...offered.filter(isOfServer)],
    searchable: info?.toolSearch ? toModelTools(notSent(choice)).filter(isOfServer) : [],
    messages: store.conversations.messages(conversation.id).filter((message) => unread || !isUnread(message)),
    reader: {
      blobs: store.blobs,
      images: info?.images !== false,
      ...(info?.toolSearch ? { byReference: deferred } : {}),
      // The practice model reads all that is at hand.
      ...(info?.ai === false ? {} : { sliceBytes: sliceBytesFor(info?.contextTokens) }),
      readOn: own.find(({ name }) => name === READ_RESULT)?.name,
    },
  }
}

export function toRequest({ conversation, system, messages, reader, tools, searchable }: GatheredContext): Omit<ModelRequest, 'model'> {
  const { effort = 'auto', maxTokens, temperature } = conversation.parameters ?? {}
  return {
    system,
    messages: toModelMessages(messages, reader),
    tools,
    ...(searchable.length === 0 ? {} : { searchable }),
    effort,
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(temperature === undefined ? {} : { temperature }),
  }
}

/** Two tools with one name would make the provider refuse everything: the first is offered. */
export function toModelTools(offered: readonly OfferedTool[]): ModelTool[] {
  const seen = new Set<string>()
  return offered.flatMap(({ tool }) => {
    if (seen.has(tool.modelName)) return []
    seen.add(tool.modelName)
    return [toModelTool(tool)]
  })
}

/** There may be thousands, and they go with each step. */
const made = new WeakMap<ToolEntry, ModelTool>()

function toModelTool(tool: ToolEntry): ModelTool {
  const known = made.get(tool)
  if (known) return known
  const title = tool.title ?? tool.annotations?.title
  const model: ModelTool = {
    name: tool.modelName,
    description: stripHidden(tool.description ?? title ?? tool.name),
    inputSchema: cleanSchema(tool.inputSchema),
    ...(title === undefined ? {} : { title: stripHidden(title) }),
  }
  made.set(tool, model)
  return model
}

const prose = new Set(['description', 'title', '$comment'])

/**
 * Hidden characters go from what is prose in a schema. A name or a value that holds some is left out whole: without them
 * it would not be what the server checks against, and with them it says to the model what no person sees.
 */
function cleanSchema(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]) => {
      if (isUnseen(key) || isUnseen(value, key)) return []
      const cleaned = cleanValue(key, value)
      // Choices of which none can be seen are no choices: an empty list would refuse everything.
      return key === 'enum' && Array.isArray(cleaned) && cleaned.length === 0 ? [] : [[key, cleaned]]
    }),
  )
}

function cleanValue(key: string, value: Json): Json {
  if (typeof value === 'string') return prose.has(key) ? stripHidden(value) : value
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap((one) => (isUnseen(one) ? [] : [cleanValue('', one)]))
  return isJsonObject(value) ? cleanSchema(value) : value
}

const isUnseen = (value: Json, key = ''): boolean => typeof value === 'string' && !prose.has(key) && hasHidden(value)
