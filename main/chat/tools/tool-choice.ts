// The tools that go with a request: all while their definitions fit into the budget; beyond it those that the conversation is about,
// and a search for the rest (`builtin-tools/builtin-tools.ts`). What was sent to a conversation is remembered for this run. Nothing here
// decides what may run: a tool that was not sent can still be called by its name, with the same consent.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ChatFolder } from '#app/chat/chat-folder.ts'
import type { Conversation } from '#app/chat/conversation.ts'
import { isServerOff, isToolOff, toolBudget } from '#app/chat/tools/tool-switches.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'
import type { OfferedTool } from '#main/servers/client/requests/running-calls.ts'
import type { Servers } from '#main/servers/lifecycle/servers.ts'
import type { Store } from '#main/store/store-api.ts'
import type { ChatContext } from '../chat-context.ts'
import { nextSent, nothingSent, type SentTools } from './sent-tools.ts'
import { searchTerms, stemWord, synonymsOf } from './synonyms.ts'

// Full-text index of tools: BM25F, that is BM25 with a weight for each field. No network, no model. A description that repeats itself
// gains next to nothing, since terms saturate and long fields count less.

interface ToolTerms {
  readonly name: readonly string[]
  readonly frequencies: ReadonlyMap<string, number>
}

/** `usual`: usual number of terms; in a longer field each term counts less. */
type Field = Readonly<Record<'weight' | 'usual', number>>

const fields = {
  name: { weight: 3, usual: 3 },
  title: { weight: 2, usual: 3 },
  server: { weight: 2.5, usual: 1 },
  first: { weight: 2, usual: 8 },
  description: { weight: 1, usual: 20 },
  parameters: { weight: 0.7, usual: 6 },
  parameterWords: { weight: 0.35, usual: 40 },
} as const satisfies Record<string, Field>

/** Influence of a field's length, 0–1 (`b` in BM25). */
const LENGTH = 0.6
/** Characters of a description, and properties of a schema, that are indexed. */
const LONGEST_DESCRIPTION = 4000
const MOST_PARAMETERS = 60

/** Cache: a server that comes or goes costs only its own tools. */
const known = new WeakMap<ToolEntry, { readonly server: string; readonly terms: ToolTerms }>()

function toolTerms({ server, tool }: OfferedTool): ToolTerms {
  const before = known.get(tool)
  if (before?.server === server) return before.terms
  const terms = readTerms(server, tool)
  known.set(tool, { server, terms })
  return terms
}

function readTerms(server: string, tool: ToolEntry): ToolTerms {
  const frequencies = new Map<string, number>()
  const add = (text: string, { weight, usual }: Field): readonly string[] => {
    const terms = searchTerms(text)
    const worth = weight / (1 - LENGTH + LENGTH * Math.max(1, terms.length / usual))
    for (const term of terms) frequencies.set(term, (frequencies.get(term) ?? 0) + worth)
    return terms
  }
  const description = (tool.description ?? '').slice(0, LONGEST_DESCRIPTION)
  const end = /[.!?\n]/.exec(description)?.index ?? description.length
  const { names, words } = parametersOf(tool.inputSchema)
  const name = add(tool.name, fields.name)
  add(tool.title ?? tool.annotations?.title ?? '', fields.title)
  add(server, fields.server)
  add(description.slice(0, end), fields.first)
  add(description.slice(end), fields.description)
  add(names.join(' '), fields.parameters)
  add(words.join(' '), fields.parameterWords)
  return { name: [...new Set(name)], frequencies }
}

function parametersOf(schema: JsonObject): { readonly names: readonly string[]; readonly words: readonly string[] } {
  const properties = schema['properties']
  if (!isJsonObject(properties)) return { names: [], words: [] }
  const entries = Object.entries(properties).slice(0, MOST_PARAMETERS)
  return { names: entries.map(([name]) => name), words: entries.flatMap(([, property]) => wordsOf(property)) }
}

function wordsOf(property: Json): readonly string[] {
  if (!isJsonObject(property)) return []
  const { description, title, enum: choices, items } = property
  const texts = [description, title, ...(Array.isArray(choices) ? (choices as readonly Json[]).slice(0, 20) : [])]
  const own = texts.flatMap((text) => (typeof text === 'string' ? [text.slice(0, 500)] : []))
  return isJsonObject(items) ? [...own, ...wordsOf(items)] : own
}

/** Shapes in a text and the terms that they stand for, such as a file name, a channel or a phone number. */
const shapes: readonly (readonly [RegExp, string])[] = [
  [/\.(?:jpe?g|png|gif|webp|svg|heic|tiff?)\b/i, 'image picture file'],
  [/\.(?:mp4|mov|mkv|avi|webm)\b/i, 'video file'],
  [/\.(?:mp3|wav|m4a|ogg|flac)\b/i, 'audio file'],
  [/\.(?:txt|md|csv|json|ya?ml|xml|log|ts|js|py|html?)\b/i, 'file text read'],
  [/\.(?:docx?|odt|rtf)\b/i, 'document file'],
  [/\.(?:xlsx?|csv|ods)\b/i, 'spreadsheet table'],
  [/\.pdf\b/i, 'pdf document'],
  [/\.(?:com|org|net|dev|io|example)\b|https?:\/\//i, 'url web page website browser domain'],
  [/\S@[^\s@]+\.\w/, 'email address'],
  [/(?:^|\s)#[a-z]/i, 'channel message'],
  [/(?:^|\s)@[a-z]/i, 'user mention'],
  [/\+\d[\d\s-]{6,}/, 'phone number'],
  [/\b\d{1,3}(?:\.\d{1,3}){3}\b/, 'ip address'],
  [/\b[A-Z][A-Z0-9]+-\d+\b/, 'issue ticket'],
  [/(?<![\w-])[\w-]+\/[\w.-]+\b/, 'repository'],
  [/[€$£¥]|\b(?:euros?|dollars?|pounds?|yen|usd|eur)\b/i, 'currency money amount'],
  [
    /\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:tomorrow|tonight|noon|o'clock|half past)\b|\b\d{1,2}\s?(?:am|pm)\b/i,
    'calendar event',
  ],
]

/** Terms of the shapes in a text, each once. */
export const hintsOf = (text: string): readonly string[] => [
  ...new Set(shapes.flatMap(([shape, words]) => (shape.test(text) ? words.split(' ').map(stemWord) : []))),
]

interface Ranked {
  readonly offered: OfferedTool
  readonly score: number
}

export type ToolIndex = ReturnType<typeof createToolIndex>

/** Saturation of a term's frequency (`k1` in BM25). */
const SATURATION = 1.2
const SYNONYM = 0.35
/** Terms of a long text that are used: those that are rarest among the tools. */
const MOST_TERMS = 40
/** Share that is added to the score when the text contains all of a tool's name. */
const NAME_BONUS = 0.6

export function createToolIndex(tools: readonly OfferedTool[]) {
  const documents = tools.map((offered) => toolTerms(offered))
  const postings = postingsOf(documents)
  const rarity = (term: string): number => {
    const found = postings.get(term)?.documents.length ?? 0
    return found === 0 ? 0 : Math.log(1 + (documents.length - found + 0.5) / (found + 0.5))
  }

  /** Ranks the tools that match, the best first; equals in the order of the list. */
  function rank(text: string, limit: number): Ranked[] {
    const asked = rarest([...new Set(searchTerms(text))], rarity)
    const hinted = hintsOf(text).filter((term) => !asked.includes(term))
    const scores = new Float64Array(documents.length)
    const best = new Float64Array(documents.length)
    const matched: number[] = []
    for (const meant of [...asked.map(meanings), ...hinted.map((term) => [[term, SYNONYM]] as const)]) {
      const touched: number[] = []
      for (const [other, worth] of meant) {
        const posting = postings.get(other)
        if (!posting) continue
        const weight = worth * rarity(other)
        for (const [at, document] of posting.documents.entries()) {
          const frequency = posting.frequencies[at] ?? 0
          const score = (weight * frequency * (SATURATION + 1)) / (frequency + SATURATION)
          if (best[document] === 0) touched.push(document)
          if (score > (best[document] ?? 0)) best[document] = score
        }
      }
      for (const document of touched) {
        if (scores[document] === 0) matched.push(document)
        scores[document] = (scores[document] ?? 0) + (best[document] ?? 0)
        best[document] = 0
      }
    }
    const terms = new Set(asked)
    return matched
      .map((document) => ({ document, score: (scores[document] ?? 0) * (1 + NAME_BONUS * nameCover(documents[document], terms)) }))
      .sort((a, b) => b.score - a.score || a.document - b.document)
      .slice(0, limit)
      .flatMap(({ document, score }) => {
        const offered = tools[document]
        return offered ? [{ offered, score }] : []
      })
  }
  return { size: documents.length, rank }
}

const meanings = (term: string): readonly (readonly [string, number])[] => [
  [term, 1],
  ...[...synonymsOf(term)].map((other) => [other, SYNONYM] as const),
]

function rarest(terms: readonly string[], rarity: (term: string) => number): readonly string[] {
  if (terms.length <= MOST_TERMS) return terms
  const worth = (term: string): number => Math.max(...meanings(term).map(([other, weight]) => weight * rarity(other)))
  return terms
    .map((term) => ({ term, worth: worth(term) }))
    .sort((a, b) => b.worth - a.worth)
    .slice(0, MOST_TERMS)
    .map(({ term }) => term)
}

/** Share of the tool's name that is in the text, 0–1; synonyms count half. */
function nameCover(document: ToolTerms | undefined, asked: ReadonlySet<string>): number {
  if (!document || document.name.length === 0) return 0
  const hits = document.name.map((term) => (asked.has(term) ? 1 : [...synonymsOf(term)].some((other) => asked.has(other)) ? 0.5 : 0))
  return hits.reduce<number>((sum, hit) => sum + hit, 0) / hits.length
}

type Posting = Record<'documents' | 'frequencies', number[]>

function postingsOf(documents: readonly ToolTerms[]): ReadonlyMap<string, Posting> {
  const postings = new Map<string, Posting>()
  for (const [index, { frequencies }] of documents.entries()) {
    for (const [term, frequency] of frequencies) {
      const posting = postings.get(term)
      if (posting) {
        posting.documents.push(index)
        posting.frequencies.push(frequency)
      } else postings.set(term, { documents: [index], frequencies: [frequency] })
    }
  }
  return postings
}

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
