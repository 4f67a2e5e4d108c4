// Messages as Markdown, for the clipboard and files. Text of the person and the model is Markdown already and kept, except that
// control characters are named. Tool arguments and results are fenced, so that they cannot pass for anybody's words.
import type { BlobRef } from '../blob.ts'
import { describeError } from '../errors.ts'
import { t } from '../i18n/translate.ts'
import { fenced, formatBytes } from '../text/format-text.ts'
import { nameControls } from '../text/hidden-characters.ts'
import type { ResultBlock, ToolResult } from './content.ts'
import type { AssistantMessage, Message, ToolCall } from './message.ts'

interface MarkdownOptions {
  readonly calls: boolean
  /** Longest text of a result in characters; default: 2,000. A cut is noted. */
  readonly longest?: number
}

/** Formats a conversation: its title, then each message under its author. */
export function toMarkdown(
  { title, messages }: { readonly title: string; readonly messages: readonly Message[] },
  options: MarkdownOptions,
): string {
  const parts = [`# ${oneLine(title)}`]
  let speaker = ''
  for (const message of messages) {
    const text = messageMarkdown(message, options)
    if (text === '') continue
    const name = speakerOf(message)
    // An answer of several steps stands under one name.
    if (name !== speaker || message.role === 'user') parts.push(`## ${oneLine(name)}`)
    speaker = name
    parts.push(text)
  }
  return nameControls(`${parts.join('\n\n')}\n`)
}

/** Formats messages without authors, such as an answer of several messages. */
export const messagesMarkdown = (messages: readonly Message[], options: MarkdownOptions): string =>
  nameControls(
    messages
      .map((message) => messageMarkdown(message, options))
      .filter((text) => text !== '')
      .join('\n\n'),
  )

export const quoteMarkdown = (text: string): string =>
  text
    .trim()
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n')

/** Formats one message; a summary is left out, since the messages are there. */
function messageMarkdown(message: Message, options: MarkdownOptions): string {
  if (message.role === 'assistant') return answerMarkdown(message, options)
  if (message.role === 'summary') return ''
  const attached = (message.attachments ?? []).map(({ name }) => t`(attached: ${code(name)})`)
  return [...attached, message.text.trim()].filter((text) => text !== '').join('\n\n')
}

const speakerOf = (message: Message): string => (message.role === 'assistant' ? message.model : t`You`)

function answerMarkdown(message: AssistantMessage, options: MarkdownOptions): string {
  const parts = message.parts.flatMap((part) => {
    if (part.kind === 'text') return [part.text.trim()]
    if (part.kind === 'image') return [mediaLine('image', part.blob)]
    return part.kind === 'tool-call' && options.calls ? [callMarkdown(part.call, options)] : []
  })
  if (message.error) parts.push(`*${oneLine(describeError(message.error).message)}*`)
  return parts.filter((text) => text !== '').join('\n\n')
}

function callMarkdown(call: ToolCall, { longest = 2000 }: MarkdownOptions): string {
  const name = call.server === undefined || call.tool === undefined ? code(call.modelName) : `${code(call.server)} ${code(call.tool)}`
  const written = call.arguments === undefined ? [] : [fenced(JSON.stringify(call.arguments, null, 2), 'json')]
  const given = call.rawArguments === undefined ? written : [fenced(call.rawArguments)]
  return [t`**Tool call** ${name}: ${stateWords(call)}`, ...given, ...outcome(call, longest)].join('\n\n')
}

function stateWords({ state }: ToolCall): string {
  switch (state.kind) {
    case 'writing':
    case 'queued':
    case 'waiting':
    case 'running':
      return t`not done yet`
    case 'done':
      return state.result.isError ? t`failed` : t`done`
    case 'denied':
      return state.decision.word === undefined ? t`denied` : t`denied, “${oneLine(state.decision.word)}”`
    case 'failed':
      return state.late ? t`timed out · its result came late` : t`failed`
    case 'cancelled':
      return t`cancelled`
    case 'unknown':
      return t`outcome unknown`
  }
}

function outcome({ state }: ToolCall, longest: number): string[] {
  if (state.kind === 'done') return resultMarkdown(state.result, longest)
  if (state.kind !== 'failed') return []
  return [fenced(describeError(state.error).message), ...(state.late ? resultMarkdown(state.late.result, longest) : [])]
}

function resultMarkdown(result: ToolResult, longest: number): string[] {
  const blocks = result.content.map((block) => blockMarkdown(block, longest))
  // Structured content repeats the text, if there is one.
  if (blocks.length > 0 || result.structuredContent === undefined) return blocks
  return [fenced(shortened(JSON.stringify(result.structuredContent, null, 2), longest), 'json')]
}

const mediaLine = (type: 'image' | 'audio', { mimeType, bytes }: BlobRef): string => `(${type}, ${code(mimeType)}, ${formatBytes(bytes)})`

function blockMarkdown(block: ResultBlock, longest: number): string {
  switch (block.type) {
    case 'text':
      return fenced(shortened(block.text, longest, block.whole?.bytes))
    case 'image':
    case 'audio':
      return mediaLine(block.type, block.blob)
    case 'resource':
      return [
        t`Resource ${code(block.uri)}`,
        ...(block.text === undefined ? [] : [fenced(shortened(block.text, longest, block.blob?.bytes))]),
      ].join('\n\n')
    case 'resource-link':
      return t`Link to a resource: ${code(block.uri)}`
    case 'unknown':
      return fenced(shortened(JSON.stringify(block.value, null, 2), longest), 'json')
  }
}

/** Cuts a text. `whole`: full size in bytes, when the text is only the beginning. */
function shortened(text: string, longest: number, whole?: number): string {
  // Not within a surrogate pair.
  const cut = text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '')
  if (cut.length === text.length && whole === undefined) return text
  return t`${cut}\n[cut here: it is ${whole === undefined ? t`${text.length} characters` : formatBytes(whole)} long]`
}

function code(text: string): string {
  const line = oneLine(text)
  const ticks = '`'.repeat(Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length)) + 1)
  const space = line.startsWith('`') || line.endsWith('`') ? ' ' : ''
  return `${ticks}${space}${line}${space}${ticks}`
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()
