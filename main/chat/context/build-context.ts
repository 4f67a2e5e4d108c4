// One request to the model: system prompt, history, and the tools in a stable order for the provider's prompt cache.
import type { Conversation } from '#app/chat/conversation.ts'
import type { Message } from '#app/chat/message.ts'
import type { MemoryFact } from '#app/chat/personal.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import type { ModelInfo } from '#app/models/models.ts'
import { defined } from '#app/or-else.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'
import { hasHidden, stripHidden } from '#app/text/hidden-characters.ts'
import type { ModelRequest, ModelTool } from '#main/models/provider.ts'
import type { OfferedTool } from '#main/servers/client/requests/running-calls.ts'
import { offeredBuiltinTools, READ_RESULT, toBuiltinModelTool } from '../builtin-tools/builtin-tools.ts'
import { type Reader, sliceBytesFor } from '../results/result-text.ts'
import { isUnread } from '../steering.ts'
import { chooseTools, folderOf, isServerOffered, namedOnce, notSent, type ToolChoiceContext } from '../tools/tool-choice.ts'
import { toModelMessages } from './model-history.ts'
import { shownInstructions, systemPrompt } from './system-prompt.ts'

/** Everything that a request to the model is made of, read once. */
export interface GatheredContext {
  readonly conversation: Conversation
  readonly info: ModelInfo | undefined
  readonly system: string
  readonly instructions: ReturnType<typeof shownInstructions>
  readonly tools: readonly ModelTool[]
  /** Tools that are not sent but searched by the provider itself. */
  readonly searchable: readonly ModelTool[]
  readonly messages: readonly Message[]
  /** Facts of the memory that the request holds. */
  readonly facts: readonly MemoryFact[]
  readonly reader: Reader
}

/** `unread`: whether to include messages that the person has added to the turn and no request has held yet. */
export function gatherContext(chat: ToolChoiceContext, conversation: Conversation, { unread = true } = {}): GatheredContext {
  const { store, servers, models } = chat
  const info = models.find(conversation.model)
  const folder = folderOf(store, conversation)
  // The host's own tools come first: a remembered tool of a server with the same name is not offered.
  const own = offeredBuiltinTools(chat, conversation).map(toBuiltinModelTool)
  const isOfServer = ({ name }: ModelTool): boolean => !own.some((one) => one.name === name)
  const choice = chooseTools(chat, conversation)
  const { sent, deferred } = choice
  const offered = toModelTools(sent).map((tool) => (deferred.has(tool.name) ? { ...tool, deferred: true as const } : tool))
  const instructions = servers.instructions().filter(({ server }) => isServerOffered(conversation, folder, server))
  const personal = conversation.parameters?.systemPrompt
  const facts = chat.settings().memory ? store.personal.list('fact') : []
  return {
    conversation,
    info,
    system: systemPrompt({
      begun: conversation.createdAt,
      everywhere: chat.settings().instructions,
      folder: folder?.systemPrompt,
      personal,
      facts,
      instructions,
    }),
    instructions: shownInstructions(instructions),
    facts,
    tools: [...own, ...offered.filter(isOfServer)],
    searchable: info?.toolSearch ? toModelTools(notSent(choice)).filter(isOfServer) : [],
    messages: store.conversations.messages(conversation.id).filter((message) => unread || !isUnread(message)),
    reader: {
      blobs: store.blobs,
      images: info?.images !== false,
      ...(info?.toolSearch ? { byReference: deferred } : {}),
      // The practice model reads whole results.
      ...(info?.ai === false ? {} : { sliceBytes: sliceBytesFor(info?.contextTokens) }),
      readOn: own.find(({ name }) => name === READ_RESULT)?.name,
    },
  }
}

export function toRequest({
  conversation,
  info,
  system,
  messages,
  reader,
  tools,
  searchable,
}: GatheredContext): Omit<ModelRequest, 'model'> {
  const { effort = 'auto', maxTokens, temperature, webSearch } = conversation.parameters ?? {}
  return {
    system,
    messages: toModelMessages(messages, reader),
    tools,
    ...(searchable.length === 0 ? {} : { searchable }),
    effort,
    ...defined({ maxTokens, temperature, webSearch: info?.webSearch ? webSearch : undefined }),
  }
}

export const toModelTools = (offered: readonly OfferedTool[]): ModelTool[] => namedOnce(offered).map(({ tool }) => toModelTool(tool))

/** Cache: there may be thousands of tools, and they go with each step. */
const modelTools = new WeakMap<ToolEntry, ModelTool>()

function toModelTool(tool: ToolEntry): ModelTool {
  const known = modelTools.get(tool)
  if (known) return known
  const title = tool.title ?? tool.annotations?.title
  const model: ModelTool = {
    name: tool.modelName,
    description: stripHidden(tool.description ?? title ?? tool.name),
    inputSchema: cleanSchema(tool.inputSchema),
    ...(title === undefined ? {} : { title: stripHidden(title) }),
  }
  modelTools.set(tool, model)
  return model
}

const prose = new Set(['description', 'title', '$comment'])

/**
 * Removes hidden characters from the prose of a schema. A name or a value with hidden characters is left out whole: without them it
 * would fail the server's check, and with them it tells the model what no person sees.
 */
function cleanSchema(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]) => {
      if (isUnseen(key) || isUnseen(value, key)) return []
      const cleaned = cleanValue(key, value)
      // An empty `enum` would refuse every value.
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
