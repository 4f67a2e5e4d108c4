// Reads a conversation of a ChatGPT export (`conversations.json`): `mapping` is a tree of nodes, `current_node` the end of the
// path. Hidden nodes are skipped and their children attached above. A call is an assistant node with a recipient; the tool node
// below it holds the result.
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import { parseJson } from '#app/or-else.ts'
import { fenced } from '#app/text/format-text.ts'
import type { AssistantPart } from '../message.ts'
import { firstText } from './from-claude.ts'
import {
  cutText,
  foreignCall,
  type ImportedConversation,
  type ImportedMessage,
  importedTitle,
  linkTo,
  MOST_MESSAGES,
  objectIn,
  objects,
  timeOf,
} from './imported-conversation.ts'

// Citations are marked in private-use characters: U+E200, a kind, U+E202 before each argument, U+E201; `content_references`
// resolves them. Known marks become links or text; others are removed.

const MARK = /[ \t]?\ue200([^\ue200-\ue202]*)((?:\ue202[^\ue200\ue201]*)?)\ue201/g
/** Marks around cited text, and hidden ones. */
const LONE = /[\ue200-\ue206]/g
/** Older mark; its place in code points is given beside it. */
const OLD_MARK = /^【[^】]*】$/

function withSources(text: string, metadata: JsonObject): string {
  const links = linksOf(text, metadata)
  let linked = text
  for (const [mark, words] of links) if (!mark.startsWith('\ue200')) linked = linked.replaceAll(mark, () => words)
  return linked
    .replace(
      MARK,
      (found, kind: string, rest: string) => links.get(found.trimStart()) ?? wordsOf(kind, rest.split('\ue202').slice(1), found),
    )
    .replace(LONE, '')
}

function linksOf(text: string, metadata: JsonObject): Map<string, string> {
  const links = new Map<string, string>()
  for (const reference of objects(metadata['content_references'])) {
    const mark = cutText(reference['matched_text'])
    if (!mark.startsWith('\ue200') && !OLD_MARK.test(mark)) continue
    const words = wordsFor(reference)
    if (words !== '') links.set(mark, ` (${words})`)
  }
  const citations = objects(metadata['citations'])
  const points = citations.length > 0 ? [...text] : []
  for (const citation of citations) {
    const [start, end, about] = [citation['start_ix'], citation['end_ix'], citation['metadata']]
    if (typeof start !== 'number' || typeof end !== 'number' || !isJsonObject(about)) continue
    const mark = points.slice(start, end).join('')
    const words = wordsFor(about)
    if (OLD_MARK.test(mark) && !links.has(mark) && words !== '') links.set(mark, ` (${words})`)
  }
  return links
}

/** Links for a reference; the name of a file. */
function wordsFor(reference: JsonObject): string {
  const items = objects(reference['items']).flatMap((item) => [item, ...objects(item['supporting_websites'])])
  const found = [...items, reference].flatMap((item) => linkTo(item['url'], cutText(item['attribution']) || cutText(item['title'])) ?? [])
  if (found.length > 0) return [...new Set(found)].join(', ')
  const urls = Array.isArray(reference['safe_urls']) ? reference['safe_urls'].flatMap((url) => linkTo(url, '') ?? []) : []
  return urls.length > 0 ? urls.join(', ') : cutText(reference['name']).trim()
}

/** Text of an unresolved mark, with the blank before it. */
function wordsOf(kind: string, args: readonly string[], found: string): string {
  const words = kind === 'entity' ? entityName(args[0] ?? '') : kind === 'url' || kind === 'link_title' ? (args[0] ?? '') : ''
  return words === '' ? '' : `${found.startsWith('\ue200') ? '' : found.slice(0, 1)}${words}`
}

/** Name in an entity such as `["people","Ada Lovelace",0]`. */
function entityName(text: string): string {
  const value = parseJson(text)
  return Array.isArray(value) ? cutText(value[1]) : ''
}

export const isChatGpt = (value: JsonObject): boolean => isJsonObject(value['mapping'])

interface Node {
  readonly id: string
  readonly message: JsonObject | undefined
  readonly children: readonly string[]
}

/** Converts an exported conversation; undefined when it has no message. */
export function fromChatGpt(value: JsonObject): ImportedConversation | undefined {
  const nodes = readNodes(value['mapping'])
  const begun = timeOf(value['create_time']) ?? 0
  const model = cutText(value['default_model_slug'])
  const messages: ImportedMessage[] = []
  const places = new Map<string, number | null>()
  const waiting: { readonly id: string; readonly above: number | null }[] = rootsOf(nodes)
    .map((id) => ({ id, above: null }))
    .reverse()
  while (waiting.length > 0 && messages.length < MOST_MESSAGES) {
    const { id, above } = waiting.pop() ?? { id: '', above: null }
    const node = nodes.get(id)
    if (!node || places.has(id)) continue
    const place = node.message ? addMessage(messages, node.message, { above, begun, model, id }) : above
    places.set(id, place)
    for (const child of [...node.children].reverse()) waiting.push({ id: child, above: place })
  }
  if (messages.length === 0) return undefined
  const end = places.get(cutText(value['current_node']))
  return {
    source: 'chatgpt',
    sourceId: (cutText(value['conversation_id']) || cutText(value['id'])).slice(0, 200),
    title: importedTitle(value['title'], firstText(messages)),
    createdAt: begun || (messages[0]?.createdAt ?? 0),
    updatedAt: timeOf(value['update_time']) ?? messages.at(-1)?.createdAt ?? begun,
    pinned: value['is_starred'] === true,
    archived: value['is_archived'] === true,
    messages,
    leaf: end ?? messages.length - 1,
  }
}

function readNodes(mapping: Json | undefined): Map<string, Node> {
  const nodes = new Map<string, Node>()
  if (!isJsonObject(mapping)) return nodes
  for (const [id, node] of Object.entries(mapping)) {
    if (!isJsonObject(node)) continue
    const children = Array.isArray(node['children']) ? node['children'].filter((child) => typeof child === 'string') : []
    nodes.set(id, { id, message: isJsonObject(node['message']) ? node['message'] : undefined, children })
  }
  return nodes
}

/** Nodes that are nobody's child; in a cycle, the first node. */
function rootsOf(nodes: ReadonlyMap<string, Node>): string[] {
  const children = new Set([...nodes.values()].flatMap((node) => node.children))
  const roots = [...nodes.keys()].filter((id) => !children.has(id))
  return roots.length > 0 ? roots : [...nodes.keys()].slice(0, 1)
}

/** Adds a message. Returns the parent for the nodes below it. */
function addMessage(
  messages: ImportedMessage[],
  message: JsonObject,
  { above, begun, model, id }: { above: number | null; begun: number; model: string; id: string },
): number | null {
  const author = objectIn(message, 'author')
  const metadata = objectIn(message, 'metadata')
  if (metadata['is_visually_hidden_from_conversation'] === true) return above
  const createdAt = timeOf(message['create_time']) ?? (above === null ? begun : (messages[above]?.createdAt ?? begun))
  const content = objectIn(message, 'content')
  const add = (made: ImportedMessage): number => messages.push(made) - 1
  switch (author['role']) {
    case 'user': {
      const text = [contentText(content), ...attached(metadata)].filter(Boolean).join('\n\n').trim()
      return text === '' ? above : add({ role: 'user', parent: above, createdAt, text })
    }
    case 'assistant': {
      const parts = assistantParts(message, { content, metadata, id, createdAt })
      // Newer exports name the model for the whole conversation only.
      const by = (cutText(metadata['model_slug']) || model).slice(0, 100)
      return parts.length === 0
        ? above
        : add({ role: 'assistant', parent: above, createdAt, model: by ? `chatgpt/${by}` : 'chatgpt', parts })
    }
    case 'tool': {
      const answered = above === null ? undefined : withResult(messages[above], contentText(content))
      if (above !== null && answered) messages[above] = answered
      return above
    }
    default:
      return above
  }
}

function assistantParts(
  message: JsonObject,
  { content, metadata, id, createdAt }: { content: JsonObject; metadata: JsonObject; id: string; createdAt: number },
): AssistantPart[] {
  const recipient = cutText(message['recipient'])
  const text = contentText(content)
  if (content['content_type'] === 'thoughts') return text === '' ? [] : [{ kind: 'thinking', text: withSources(text, metadata) }]
  if (content['content_type'] === 'reasoning_recap' || text === '') return []
  if (recipient !== '' && recipient !== 'all') return [foreignCall({ id, tool: recipient, input: inputOf(text), at: createdAt })]
  return [{ kind: 'text', text: content['content_type'] === 'code' ? fenced(text) : withSources(text, metadata) }]
}

/** Arguments of a call; code or plain text as `input`. */
function inputOf(text: string): JsonObject {
  const value = parseJson(text)
  return isJsonObject(value) ? value : { input: text }
}

/** Adds a result, which may come in several nodes, to the message of its call; undefined: no call. */
function withResult(message: ImportedMessage | undefined, text: string): ImportedMessage | undefined {
  if (message?.role !== 'assistant') return undefined
  const part = message.parts.find((one) => one.kind === 'tool-call')
  if (part?.kind !== 'tool-call') return undefined
  const { id, tool = 'tool', arguments: input, state } = part.call
  const before = state.kind === 'done' ? state.result.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])) : []
  const whole = cutText([...before, text].filter(Boolean).join('\n\n'))
  const done = foreignCall({ id, tool, input, at: message.createdAt, result: { text: whole, isError: false } })
  return { ...message, parts: message.parts.map((one) => (one === part ? done : one)) }
}

function contentText(content: JsonObject): string {
  if (typeof content['text'] === 'string') return cutText(content['text'])
  if (typeof content['result'] === 'string') return cutText(content['result'])
  const pieces = Array.isArray(content['parts']) ? content['parts'] : Array.isArray(content['thoughts']) ? content['thoughts'] : []
  // A spoken message has a transcript and a recording.
  const spoken = pieces.filter((piece) => isJsonObject(piece) && piece['content_type'] === 'audio_transcription')
  const shown = spoken.length === 0 ? pieces : pieces.filter((piece) => !isJsonObject(piece) || typeof piece['text'] === 'string')
  return cutText(shown.map(pieceText).filter(Boolean).join('\n\n'))
}

function pieceText(piece: Json): string {
  if (typeof piece === 'string') return piece
  if (!isJsonObject(piece)) return ''
  if (typeof piece['text'] === 'string') return piece['text']
  if (typeof piece['content'] === 'string') return [cutText(piece['summary']), piece['content']].filter(Boolean).join('\n')
  // Images and sound are separate files of the export.
  const type = piece['content_type']
  if (typeof type !== 'string') return ''
  return t`[not in this file]`
}

const attached = (metadata: JsonObject): string[] =>
  objects(metadata['attachments']).flatMap(({ name }) => (typeof name === 'string' ? [`[Attached: ${name.slice(0, 300)}]`] : []))
