// The tools that go with a request: all while their definitions fit into the budget; beyond it those that the conversation is about,
// and a search for the rest (`builtin-tools/builtin-tools.ts`). What was sent to a conversation is remembered for this run. Nothing here
// decides what may run: a tool that was not sent can still be called by its name, with the same consent.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ChatFolder } from '#app/chat/chat-folder.ts'
import type { Conversation } from '#app/chat/conversation.ts'
import { isServerOff, isToolOff, toolBudget } from '#app/chat/tools/tool-switches.ts'
import type { OfferedTool } from '#main/servers/client/requests/running-calls.ts'
import type { Servers } from '#main/servers/lifecycle/servers.ts'
import type { Store } from '#main/store/store-api.ts'
import type { ChatContext } from '../chat-context.ts'
import { nextSent, nothingSent, type SentTools } from './sent-tools.ts'
import { createToolIndex, type Ranked, type ToolIndex, toolTerms } from './tool-index.ts'

type Switched = Pick<Conversation, 'tools'>
type Folder = Pick<ChatFolder, 'servers'> | undefined

export const isServerOffered = (conversation: Switched, folder: Folder, server: string): boolean =>
  !isServerOff(conversation.tools, server) && (folder?.servers?.includes(server) ?? true)

export const folderOf = (store: Pick<Store, 'chatFolders'>, { folderId }: Pick<Conversation, 'folderId'>): ChatFolder | undefined =>
  folderId === undefined ? undefined : store.chatFolders.get(folderId)

export type ToolChoiceContext = Pick<ChatContext, 'store' | 'servers' | 'models' | 'settings'>

export interface ChosenTools {
  /** Tools in the order of sending; each name once. */
  readonly sent: readonly OfferedTool[]
  /** Model names of the sent tools that a search found. */
  readonly deferred: ReadonlySet<string>
  /** All tools that the model may call in the conversation. */
  readonly offered: readonly OfferedTool[]
  /** Whether the definitions exceed the budget, so that the model has to search for tools. */
  readonly searched: boolean
  readonly budget: number
}

/** Tools, and their tokens, that one message of the person adds. */
const MOST_PICKED = 16
const MOST_PICKED_TOKENS = 2500
/** Share of the best match's score below which a match is noise. */
const LEAST_SHARE = 0.2

/** Tools that the model may call, sent or not: those of the servers of the folder, less what the conversation switches off. */
export function toolsOf(
  { servers, store }: Pick<ToolChoiceContext, 'servers' | 'store'>,
  conversation: Pick<Conversation, 'tools' | 'folderId'> | undefined,
): OfferedTool[] {
  const tools = servers.tools()
  const folder = conversation && folderOf(store, conversation)
  if (!conversation || (conversation.tools === undefined && folder?.servers === undefined)) return tools
  return tools.filter(
    ({ server, tool }) => isServerOffered(conversation, folder, server) && !isToolOff(conversation.tools, server, tool.name),
  )
}

export const budgetOf = ({ models, settings }: Pick<ToolChoiceContext, 'models' | 'settings'>, model: string): number =>
  toolBudget(settings().toolShare, models.find(model)?.contextTokens)

/** Milliseconds before the event loop gets its turn. */
const SLICE_MS = 8

/** Reads the terms of many tools in slices, so that the host stays responsive; `toolTerms` caches them. */
export async function prepareTools(chat: ToolChoiceContext, conversation: Conversation): Promise<void> {
  const tools = chat.servers.tools()
  if (toolTokensOf(tools) <= budgetOf(chat, conversation.model)) return
  let since = performance.now()
  for (const offered of tools) {
    toolTerms(offered)
    if (performance.now() - since < SLICE_MS) continue
    await nextTurn()
    since = performance.now()
  }
}

export function chooseTools(chat: ToolChoiceContext, conversation: Conversation): ChosenTools {
  const offered = namedOnce(toolsOf(chat, conversation))
  const budget = budgetOf(chat, conversation.model)
  if (toolTokensOf(offered) <= budget) return { sent: offered, deferred: nothingSent.deferred, offered, searched: false, budget }
  const { sent } = memoryOf(chat.servers)
  const byName = new Map(offered.map((one) => [one.tool.modelName, one]))
  const next = nextSent(sent.get(conversation.id) ?? nothingSent, {
    messages: chat.store.conversations.messages(conversation.id),
    pick: (text) => pickTools(rankTools(chat, text, MOST_PICKED * 4), byName, budget).map(({ tool }) => tool.modelName),
    tokens: (name) => byName.get(name)?.tool.tokens,
    budget,
  })
  remember(sent, conversation.id, next)
  const names = [...next.reasons.keys()]
  return { sent: names.flatMap((name) => byName.get(name) ?? []), deferred: next.deferred, offered, searched: true, budget }
}

/** Tokens of definitions that go with each request to a provider that searches itself, outside of the context: about two megabytes. */
const MOST_SEARCHABLE_TOKENS = 500_000

/** Tools that a provider which searches itself gets beside the sent ones; none where they are too many. */
export function notSent({ offered, sent, searched }: ChosenTools): OfferedTool[] {
  if (!searched || toolTokensOf(offered) > MOST_SEARCHABLE_TOKENS) return []
  const names = new Set(sent.map(({ tool }) => tool.modelName))
  return offered.filter(({ tool }) => !names.has(tool.modelName))
}

export const toolTokensOf = (tools: readonly OfferedTool[]): number => tools.reduce((sum, { tool }) => sum + tool.tokens, 0)

/** Ranks the enabled tools of all servers by what the text is about, the best first. */
export function rankTools({ servers }: Pick<ToolChoiceContext, 'servers'>, text: string, limit: number): Ranked[] {
  return indexOf(memoryOf(servers), servers.tools()).rank(text, limit)
}

/** Picks the ranked tools that a message adds; the best match always is one. */
export function pickTools(ranked: readonly Ranked[], allowed: ReadonlyMap<string, OfferedTool>, budget: number): OfferedTool[] {
  const fitting = ranked.filter(({ offered }) => allowed.get(offered.tool.modelName)?.server === offered.server)
  const least = (fitting[0]?.score ?? 0) * LEAST_SHARE
  const picked: OfferedTool[] = []
  let room = Math.min(MOST_PICKED_TOKENS, budget / 2)
  for (const { offered, score } of fitting) {
    if (picked.length === MOST_PICKED || score < least) break
    if (offered.tool.tokens > room && picked.length > 0) continue
    picked.push(offered)
    room -= offered.tool.tokens
  }
  return picked
}

/** Drops all but the first tool of each name: providers refuse a request with two tools of one name. */
export function namedOnce(tools: readonly OfferedTool[]): OfferedTool[] {
  const names = new Set<string>()
  return tools.filter(({ tool }) => !names.has(tool.modelName) && names.add(tool.modelName))
}

interface Memory {
  readonly sent: Map<string, SentTools>
  indexed: { readonly tools: readonly OfferedTool[]; readonly index: ToolIndex } | undefined
}

/** Memory by host: it ends with its servers. */
const memories = new WeakMap<Servers, Memory>()
const MOST_CONVERSATIONS = 100

function memoryOf(servers: Servers): Memory {
  const known = memories.get(servers)
  if (known) return known
  const made: Memory = { sent: new Map(), indexed: undefined }
  memories.set(servers, made)
  return made
}

/** Keeps what was sent; drops the least recently used conversation. */
function remember(sent: Map<string, SentTools>, id: string, next: SentTools): void {
  sent.delete(id)
  sent.set(id, next)
  const [oldest] = sent.keys()
  if (sent.size > MOST_CONVERSATIONS && oldest !== undefined) sent.delete(oldest)
}

/** Returns the index, made anew when the tools have changed. */
function indexOf(memory: Memory, tools: readonly OfferedTool[]): ToolIndex {
  const { indexed } = memory
  const same =
    indexed?.tools.length === tools.length &&
    tools.every(({ server, tool }, at) => indexed.tools[at]?.tool === tool && indexed.tools[at]?.server === server)
  if (same) return indexed.index
  const index = createToolIndex(tools)
  memory.indexed = { tools, index }
  return index
}
