// Searchable text of a message: its own text is one part, each tool call with its result another. Thinking is not searched. Each
// part and each message is indexed up to a limit.
import { isJsonObject, type Json } from '#app/json.ts'
import type { ResultBlock, ToolResult } from '../content.ts'
import type { Message, ToolCall } from '../message.ts'

export const LONGEST_PIECE = 64_000
export const LONGEST_MESSAGE = 256_000

/** `data`: arguments and results, shown as they are. */
export interface SearchableText {
  readonly form: 'prose' | 'data'
  readonly text: string
}

interface SearchablePart {
  /** Index: 0 for the message's own text, n for its n-th call. */
  readonly index: number
  readonly kind: 'you' | 'answer' | 'call'
  readonly callId?: string
  readonly server?: string
  readonly tool?: string
  readonly texts: readonly SearchableText[]
}

export function searchableParts(message: Message): SearchablePart[] {
  // A summary repeats messages that are indexed themselves.
  if (message.role === 'summary') return []
  const pieces = message.role === 'user' ? [userPiece(message)] : assistantPieces(message)
  let room = LONGEST_MESSAGE
  return pieces.flatMap((piece) => {
    const texts = cut(piece.texts, Math.min(room, LONGEST_PIECE))
    for (const { text } of texts) room -= text.length
    return texts.length === 0 ? [] : [{ ...piece, texts }]
  })
}

function cut(texts: readonly SearchableText[], limit: number): SearchableText[] {
  let room = limit
  return texts.flatMap(({ form, text }) => {
    const kept = text.slice(0, room)
    room -= kept.length
    return kept === '' ? [] : [{ form, text: kept }]
  })
}

const userPiece = (message: Extract<Message, { role: 'user' }>): SearchablePart => ({
  index: 0,
  kind: 'you',
  texts: [
    { form: 'prose', text: message.text },
    { form: 'data', text: (message.attachments ?? []).map(({ name }) => name).join('\n') },
  ],
})

function assistantPieces({ parts }: Extract<Message, { role: 'assistant' }>): SearchablePart[] {
  const text = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n')
  const calls = parts.flatMap((part) => (part.kind === 'tool-call' ? [part.call] : []))
  return [{ index: 0, kind: 'answer', texts: [{ form: 'prose', text }] }, ...calls.map((call, index) => callPiece(call, index + 1))]
}

const callPiece = (call: ToolCall, index: number): SearchablePart => ({
  index,
  kind: 'call',
  callId: call.id,
  ...(call.server === undefined ? {} : { server: call.server }),
  tool: call.tool ?? call.modelName,
  texts: [
    { form: 'data', text: call.tool ?? call.modelName },
    { form: 'data', text: call.arguments === undefined ? (call.rawArguments ?? '') : flat(call.arguments) },
    { form: 'data', text: resultText(call) },
  ],
})

function resultText({ state }: ToolCall): string {
  switch (state.kind) {
    case 'done':
      return textOf(state.result)
    case 'failed':
      return [state.error.message, state.late ? textOf(state.late.result) : ''].join('\n').trim()
    case 'denied':
      return state.decision.word ?? ''
    default:
      return ''
  }
}

/** Text of a result. Structured content counts only without text, which repeats it as a rule (MCP, "Structured Content"). */
function textOf({ content, structuredContent }: ToolResult): string {
  const text = content.map(blockText).filter(Boolean).join('\n')
  return text === '' && structuredContent !== undefined ? flat(structuredContent) : text
}

function blockText(block: ResultBlock): string {
  switch (block.type) {
    case 'text':
      return block.text
    case 'resource':
      return [block.uri, block.text ?? ''].join('\n').trim()
    case 'resource-link':
      return [block.name, block.title, block.description, block.uri].filter(Boolean).join(' · ')
    case 'unknown':
      return flat(block.value)
    case 'image':
    case 'audio':
      return ''
  }
}

function flat(value: Json): string {
  const words: string[] = []
  let room = LONGEST_PIECE
  const visit = (item: Json, depth: number): void => {
    if (room <= 0 || depth > 50) return
    if (Array.isArray(item)) for (const one of item) visit(one, depth + 1)
    else if (isJsonObject(item)) {
      for (const [name, one] of Object.entries(item)) {
        words.push(`${name}:`)
        room -= name.length + 2
        visit(one, depth + 1)
      }
    } else if (item !== null) {
      const word = String(item).slice(0, LONGEST_PIECE)
      words.push(word)
      room -= word.length + 1
    }
  }
  visit(value, 0)
  return words.join(' ')
}
