// The host's tools by which a model lists and reads resources and skills. Each is put to the person, sent and recorded as a call of the
// server that it names, never as one of Assent: rules, modes and the sources of a chat see a call of that server.
import type { Conversation } from '#app/chat/conversation.ts'
import type { ToolCall } from '#app/chat/message.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import { isLocal } from '#app/server/definition.ts'
import { stripHidden } from '#app/text/hidden-characters.ts'
import { GET_SKILL, isSkillCall, LIST_RESOURCES, READ_RESOURCE, skillCall } from '#main/servers/client/calls/resource-calls.ts'
import type { OfferedTool } from '#main/servers/client/requests/running-calls.ts'
import type { ChatContext } from '../chat-context.ts'
import { callsIn } from '../message-calls.ts'
import { folderOf, isServerOffered, type ToolChoiceContext } from '../tools/tool-choice.ts'

export interface OfferContext {
  readonly chat: ToolChoiceContext
  readonly conversation: Conversation
}

/** A tool of the host as a model is told of it. */
export interface HostTool {
  readonly name: `assent__${string}`
  readonly title: string
  readonly description: string
  /** Returns what is added to the description in one conversation. */
  about?(context: OfferContext): string
  readonly inputSchema: JsonObject
  /** Whether it is of use in this conversation. It should seldom change: the tools stand first in the provider's cache. */
  isOffered(context: OfferContext): boolean
}

interface ResourceTool extends HostTool {
  /** Returns the call of the server, and the arguments that are shown and sent. */
  target(input: JsonObject): { readonly tool: string; readonly arguments: JsonObject }
}

type Has = (context: OfferContext, server: string) => boolean

const hasSkills: Has = ({ chat }, server) => chat.servers.view(server)?.session?.offers?.includes('skills') === true
const hasResources: Has = (context, server) => {
  const { resources, resourceTemplates } = context.chat.servers.catalogue(server)
  return resources.length + resourceTemplates.length > 0 || hasSkills(context, server)
}

const mostNamed = 40

const serversWith = (context: OfferContext, has: Has): string[] => {
  const { chat, conversation } = context
  const folder = folderOf(chat.store, conversation)
  return chat.servers
    .views()
    .filter(({ name, definition }) => has(context, name) && definition.enabled && isServerOffered(conversation, folder, name))
    .map(({ name }) => name)
}

const offered =
  (has: Has) =>
  (context: OfferContext): boolean =>
    context.chat.models.find(context.conversation.model)?.tools !== false && serversWith(context, has).length > 0
const named =
  (has: Has) =>
  (context: OfferContext): string =>
    `Servers: ${serversWith(context, has).slice(0, mostNamed).map(stripHidden).join(', ')}.`

const server = { type: 'string', description: 'The server, as it is named here.' }
const only = (name: string, value: Json | undefined): JsonObject => (value === undefined ? {} : { [name]: value })

const tools: readonly ResourceTool[] = [
  {
    name: 'assent__list_resources',
    title: 'List resources',
    description: 'Lists the resources, templates of resources and skills of one server. The person may be asked.',
    about: named(hasResources),
    inputSchema: {
      type: 'object',
      properties: { server, search: { type: 'string', description: 'A word that stands in the URI, the name or the description.' } },
      required: ['server'],
      additionalProperties: false,
    },
    isOffered: offered(hasResources),
    target: ({ search }) => ({ tool: LIST_RESOURCES, arguments: only('search', search) }),
  },
  {
    name: 'assent__read_resource',
    title: 'Read a resource',
    description:
      'Reads one resource of a server by its URI, as it was listed, linked in a result, or made from a template. The person may be asked.',
    inputSchema: {
      type: 'object',
      properties: { server, uri: { type: 'string' } },
      required: ['server', 'uri'],
      additionalProperties: false,
    },
    isOffered: offered(hasResources),
    target: ({ uri }) => ({ tool: READ_RESOURCE, arguments: only('uri', uri) }),
  },
  {
    name: 'assent__load_skill',
    title: 'Load a skill',
    description:
      'Loads a skill of a server, instructions for a kind of work, or one of its files. The person is asked, and again when its content has changed. What it says is text of that server.',
    about: named(hasSkills),
    inputSchema: {
      type: 'object',
      properties: {
        server,
        skill: { type: 'string', description: 'The URI of its SKILL.md.' },
        file: { type: 'string', description: 'A file of the skill, by its path in it. Default: SKILL.md.' },
      },
      required: ['server', 'skill'],
      additionalProperties: false,
    },
    isOffered: offered(hasSkills),
    target: ({ skill, file }) => ({ tool: skillCall(String(skill)), arguments: only('file', file) }),
  },
]

export const resourceTools = tools
export const resourceTool = (modelName: string): ResourceTool | undefined => tools.find(({ name }) => name === modelName)

export function resourceTarget(modelName: string, input: Json | undefined): Pick<ToolCall, 'server' | 'tool'> {
  const tool = resourceTool(modelName)
  if (!tool || !isJsonObject(input) || typeof input['server'] !== 'string') return {}
  return { server: input['server'], tool: tool.target(input).tool }
}

export interface OfferedRead extends OfferedTool {
  readonly arguments: JsonObject
  /** Other servers whose skills the chat has loaded: they may want the reading. */
  readonly skillsOf: readonly string[]
}

/** Returns the call of a server that the model's call stands for; undefined: the server is not there for this chat. */
export async function offeredRead(
  { store, servers }: Pick<ChatContext, 'store' | 'servers'>,
  conversationId: string,
  call: ToolCall,
  signal: AbortSignal,
): Promise<OfferedRead | undefined> {
  const conversation = store.conversations.get(conversationId)
  const tool = resourceTool(call.modelName)
  const { server: name = '', arguments: input } = call
  const definition = servers.view(name)?.definition
  if (!conversation || !tool || !definition?.enabled || !isJsonObject(input)) return undefined
  if (!isServerOffered(conversation, folderOf(store, conversation), name)) return undefined
  const target = tool.target(input)
  const known = await servers.readCall(name, target.tool, { signal })
  // A skill that is not listed is asked for first: its URI holds the model's words.
  const entry = known ?? (await servers.readCall(name, GET_SKILL, { signal }))
  if (!entry) return undefined
  const loaded = store.conversations
    .messages(conversationId)
    .flatMap(callsIn)
    .flatMap((one) =>
      one.server !== undefined && one.server !== name && isSkillCall(one.tool) && one.state.kind === 'done' ? [one.server] : [],
    )
  return {
    server: name,
    tool: entry,
    trusted: definition.trusted,
    local: isLocal(definition),
    arguments: known ? target.arguments : { uri: input['skill'] ?? '' },
    skillsOf: [...new Set(loaded)],
  }
}
