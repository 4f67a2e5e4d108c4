// Which tools go with a request: all while their definitions fit into the budget, in the catalogue's order; beyond it those
// that the conversation is about, and a search for the rest (`own-tools/find-tools.ts`). What was sent to a conversation is
// remembered for this run, and made anew from its messages after a restart. Nothing here decides what may run: a tool that
// was not sent and is called by its name all the same goes the same way, through the same consent.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ChatFolder } from '#app/chat/chat-folder.ts'
import type { Conversation } from '#app/chat/conversation.ts'
import { isServerOff, isToolOff, toolBudget } from '#app/chat/tools/tool-switches.ts'
import type { OfferedTool } from '#main/servers/client/requests/running-calls.ts'
import type { Servers } from '#main/servers/lifecycle/servers-api.ts'
import type { Store } from '#main/store/store-api.ts'
import type { ChatContext } from '../chat-context.ts'
import { nextSent, nothingSent, type SentTools } from './sent-tools.ts'
import { createToolIndex, type Ranked, type ToolIndex, toolTerms } from './tool-index.ts'

// Which tools a conversation is offered: those of the servers that its folder lets it use, less what is switched off in it.
// Its calls are looked up in the same ones: a call to any other ends as one to a tool that is not there.

type Switched = Pick<Conversation, 'tools'>
type Folder = Pick<ChatFolder, 'servers'> | undefined

export const isServerOffered = (conversation: Switched, folder: Folder, server: string): boolean =>
  !isServerOff(conversation.tools, server) && (folder?.servers?.includes(server) ?? true)

/** In their order. */
export const offeredTools = (conversation: Switched, folder: Folder, tools: OfferedTool[]): OfferedTool[] =>
  conversation.tools === undefined && folder?.servers === undefined
    ? tools
    : tools.filter(({ server, tool }) => isServerOffered(conversation, folder, server) && !isToolOff(conversation.tools, server, tool.name))

/** The folder of chats that it lies in. */
export const folderOf = (store: Pick<Store, 'chatFolders'>, { folderId }: Pick<Conversation, 'folderId'>): ChatFolder | undefined =>
  folderId === undefined ? undefined : store.chatFolders.get(folderId)

type Deps = Pick<ChatContext, 'store' | 'servers' | 'models' | 'settings'>

export interface ChosenTools {
  /** In the order of sending; each name once. */
  readonly sent: readonly OfferedTool[]
  /** Those that a search brought, by the names that the model calls. */
  readonly deferred: ReadonlySet<string>
  /** All that are on in the conversation. */
  readonly offered: readonly OfferedTool[]
  /** Their definitions outgrow the budget: the rest is found by search. */
  readonly searched: boolean
  /** Tokens that definitions may take. */
  readonly budget: number
}

/** For one message of the person at most so many tools are sent, and so many tokens. */
const MOST_PICKED = 16
const MOST_PICKED_TOKENS = 2500
/** Beside the best match, what fits this much worse is noise. */
const LEAST_SHARE = 0.2

/** The tools that the model may call in the conversation, sent or not. */
export function toolsOf(
  { servers, store }: Pick<Deps, 'servers' | 'store'>,
  conversation: Pick<Conversation, 'tools' | 'folderId'> | undefined,
): OfferedTool[] {
  return conversation ? offeredTools(conversation, folderOf(store, conversation), servers.tools()) : servers.tools()
}

export const budgetOf = ({ models, settings }: Pick<Deps, 'models' | 'settings'>, model: string): number =>
  toolBudget(settings().toolShare, models.find(model)?.contextTokens)

/** Milliseconds at a time. */
const SLICE_MS = 8

/** Reads the words of many tools piece by piece, so that they hold up nothing else; what was read is kept. */
export async function prepareTools(deps: Deps, conversation: Conversation): Promise<void> {
  const tools = deps.servers.tools()
  if (toolTokensOf(tools) <= budgetOf(deps, conversation.model)) return
  let since = performance.now()
  for (const offered of tools) {
    toolTerms(offered)
    if (performance.now() - since < SLICE_MS) continue
    await nextTurn()
    since = performance.now()
  }
}

export function chooseTools(deps: Deps, conversation: Conversation): ChosenTools {
  const offered = namedOnce(toolsOf(deps, conversation))
  const budget = budgetOf(deps, conversation.model)
  if (toolTokensOf(offered) <= budget) return { sent: offered, deferred: nothingSent.deferred, offered, searched: false, budget }
  const { sent } = memoryOf(deps.servers)
  const byName = new Map(offered.map((one) => [one.tool.modelName, one]))
  const next = nextSent(sent.get(conversation.id) ?? nothingSent, {
    messages: deps.store.conversations.messages(conversation.id),
    pick: (text) => pickTools(rankTools(deps, text, MOST_PICKED * 4), byName, budget).map(({ tool }) => tool.modelName),
    tokens: (name) => byName.get(name)?.tool.tokens,
    budget,
  })
  remember(sent, conversation.id, next)
  const names = [...next.reasons.keys()]
  return { sent: names.flatMap((name) => byName.get(name) ?? []), deferred: next.deferred, offered, searched: true, budget }
}

/** All definitions go with each request there, though not into the context: about two megabytes are worth sending. */
const MOST_SEARCHABLE_TOKENS = 500_000

/** What a provider that searches tools itself gets beside the ones that are sent; nothing where it would be too much. */
export function notSent({ offered, sent, searched }: ChosenTools): OfferedTool[] {
  if (!searched || toolTokensOf(offered) > MOST_SEARCHABLE_TOKENS) return []
  const names = new Set(sent.map(({ tool }) => tool.modelName))
  return offered.filter(({ tool }) => !names.has(tool.modelName))
}

export const toolTokensOf = (tools: readonly OfferedTool[]): number => tools.reduce((sum, { tool }) => sum + tool.tokens, 0)

/** Of all servers' enabled tools those that the text is about, the best first. */
export function rankTools({ servers }: Pick<Deps, 'servers'>, text: string, limit: number): Ranked[] {
  return indexOf(memoryOf(servers), servers.tools()).rank(text, limit)
}

/** Of the ranked ones those that go along with a message; the best match always does. */
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

/** Two tools with one name would make the provider refuse everything: the first is offered. */
export function namedOnce(tools: readonly OfferedTool[]): OfferedTool[] {
  const names = new Set<string>()
  return tools.filter(({ tool }) => !names.has(tool.modelName) && names.add(tool.modelName))
}

interface Memory {
  readonly sent: Map<string, SentTools>
  indexed: { readonly tools: readonly OfferedTool[]; readonly index: ToolIndex } | undefined
}

/** Goes with the servers that it is about. */
const memories = new WeakMap<Servers, Memory>()
const MOST_CONVERSATIONS = 100

function memoryOf(servers: Servers): Memory {
  const known = memories.get(servers)
  if (known) return known
  const made: Memory = { sent: new Map(), indexed: undefined }
  memories.set(servers, made)
  return made
}

/** The one that was not needed for the longest is forgotten. */
function remember(sent: Map<string, SentTools>, id: string, next: SentTools): void {
  sent.delete(id)
  sent.set(id, next)
  const [oldest] = sent.keys()
  if (sent.size > MOST_CONVERSATIONS && oldest !== undefined) sent.delete(oldest)
}

/** Kept for as long as the tools are the same ones. */
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
