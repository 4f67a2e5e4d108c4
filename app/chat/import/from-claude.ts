// Reads a conversation of a Claude export (`conversations.json`): `chat_messages` in order, each with `sender`, `text`, and in
// newer exports `content` blocks. Attached files are extracted text, or a name alone.
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { defined } from '../../or-else.ts'
import { fenced } from '../../text/format-text.ts'
import type { AssistantPart } from '../message.ts'
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

export const isClaude = (value: JsonObject): boolean => Array.isArray(value['chat_messages'])

/** Converts an exported conversation; undefined when it has no message. */
export function fromClaude(value: JsonObject): ImportedConversation | undefined {
  const createdAt = timeOf(value['created_at']) ?? 0
  const messages: ImportedMessage[] = []
  /** Maps each message to its index; an empty one to that of the message above. */
  const places = new Map<string, number | null>()
  for (const item of objects(value['chat_messages']).slice(0, MOST_MESSAGES)) {
    const message = messageOf(item, createdAt)
    const above = places.get(cutText(item['parent_message_uuid']))
    const parent = above !== undefined ? above : messages.length === 0 || begins(item) ? null : messages.length - 1
    if (message) messages.push({ ...message, parent })
    places.set(cutText(item['uuid']), message ? messages.length - 1 : parent)
  }
  if (messages.length === 0) return undefined
  return {
    source: 'claude',
    sourceId: cutText(value['uuid']).slice(0, 200),
    title: importedTitle(value['name'], firstText(messages)),
    createdAt: createdAt || (messages[0]?.createdAt ?? 0),
    updatedAt: timeOf(value['updated_at']) ?? messages.at(-1)?.createdAt ?? createdAt,
    pinned: value['is_starred'] === true,
    archived: false,
    messages,
    leaf: places.get(cutText(value['current_leaf_message_uuid'])) ?? messages.length - 1,
  }
}

/** Parent of the first messages, in exports that name parents. */
const ROOT = '00000000-0000-4000-8000-000000000000'
const begins = (item: JsonObject): boolean => item['parent_message_uuid'] === ROOT

export const firstText = (messages: readonly ImportedMessage[]): string => {
  const first = messages.find((message) => message.role === 'user')
  return first?.role === 'user' ? first.text : ''
}

type Unplaced = ImportedMessage extends infer Message ? (Message extends unknown ? Omit<Message, 'parent'> : never) : never

function messageOf(item: JsonObject, begun: number): Unplaced | undefined {
  const createdAt = timeOf(item['created_at']) ?? begun
  if (item['sender'] === 'human') {
    const text = [spoken(item), ...attachments(item)].filter(Boolean).join('\n\n')
    return text === '' ? undefined : { role: 'user', createdAt, text }
  }
  if (item['sender'] !== 'assistant') return undefined
  const parts = partsOf(item, createdAt)
  return parts.length === 0 ? undefined : { role: 'assistant', createdAt, model: 'claude', parts }
}

function spoken(item: JsonObject): string {
  const blocks = objects(item['content']).flatMap((block) => (isWords(block) ? [cutText(block['text'])] : []))
  return (blocks.join('\n\n') || cutText(item['text'])).trim()
}

/** Whether a block is text; a voice note is its transcript. */
const isWords = (block: JsonObject): boolean => block['type'] === 'text' || block['type'] === 'voice_note'

function attachments(item: JsonObject): string[] {
  const extracted = objects(item['attachments']).map((one) => {
    const name = cutText(one['file_name']) || t`a file`
    const text = cutText(one['extracted_content'])
    return text === '' ? `[Attached: ${name}]` : `[Attached: ${name}]\n\n${fenced(text)}`
  })
  return [...extracted, ...objects(item['files']).map((one) => `[Attached: ${cutText(one['file_name']) || t`a file`}]`)]
}

function partsOf(item: JsonObject, at: number): AssistantPart[] {
  const blocks = objects(item['content'])
  if (blocks.length === 0) return textPart(cutText(item['text']))
  const results = blocks.filter((block) => block['type'] === 'tool_result')
  const unnamed = results.filter((block) => cutText(block['tool_use_id']) === '')
  let next = 0
  return blocks.flatMap((block): AssistantPart[] => {
    switch (block['type']) {
      case 'text':
      case 'voice_note':
        return textPart(cited(block))
      case 'thinking': {
        const text = cutText(block['thinking'])
        return text === '' ? [] : [{ kind: 'thinking', text }]
      }
      case 'tool_use': {
        const id = cutText(block['id'])
        // Older exports do not link results to calls; they come in order.
        const result = results.find((one) => id !== '' && one['tool_use_id'] === id) ?? unnamed[next]
        next += 1
        const read = result && { text: resultText(result['content']), isError: result['is_error'] === true }
        const call = {
          id: id || `call${next}`,
          tool: cutText(block['name']) || 'tool',
          input: block['input'],
          at,
          ...defined({ result: read }),
        }
        return [foreignCall(call)]
      }
      default:
        return []
    }
  })
}

/** Adds links after cited passages. */
function cited(block: JsonObject): string {
  let text = cutText(block['text'])
  const links = objects(block['citations']).flatMap((one) => {
    const details = objectIn(one, 'details')
    const link = linkTo(one['url'] ?? details['url'], cutText(one['title']) || cutText(details['title']))
    return link !== undefined && typeof one['end_index'] === 'number' ? [{ link, end: Math.max(0, Math.floor(one['end_index'])) }] : []
  })
  const ends = Map.groupBy(links, ({ end }) => Math.min(end, text.length))
  // Replaces from the end, so that earlier offsets stay valid.
  for (const [end, here] of [...ends].sort(([a], [b]) => b - a)) {
    const words = [...new Set(here.map(({ link }) => link))].join(', ')
    text = `${text.slice(0, end)} (${words})${text.slice(end)}`
  }
  return text
}

const textPart = (text: string): AssistantPart[] => (text.trim() === '' ? [] : [{ kind: 'text', text }])

function resultText(content: Json | undefined): string {
  if (typeof content === 'string') return cutText(content)
  if (!Array.isArray(content)) return content === undefined ? '' : JSON.stringify(content)
  return cutText(
    content.map((block) => (isJsonObject(block) && typeof block['text'] === 'string' ? block['text'] : JSON.stringify(block))).join('\n'),
  )
}
