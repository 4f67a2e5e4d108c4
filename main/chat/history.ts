// A conversation as the model reads it. The same messages always give the same history, to the byte, so that the
// provider's prompt cache hits and a resumed turn goes on where it stopped. Of what a summary covers only the summary is read.
import type { AssistantMessage, Message, ToolCall } from '#app/chat/message.ts'
import { cutOf } from '#app/chat/summary.ts'
import { isJsonObject } from '#app/json.ts'
import type { ModelAssistantBlock, ModelContent, ModelMessage, ModelUserBlock } from '#main/models/provider.ts'
import { capMedia } from './attachments/media-cap.ts'
import { saidBlocks } from './attachments/said-blocks.ts'
import { summaryBlock } from './compaction/summary-text.ts'
import type { Reader } from './result-text.ts'
import { lateNote, toolResultBlock } from './tool-text.ts'

export const GO_ON_TEXT = '[The answer above was cut off. Go on from there.]'
const GO_ON: ModelUserBlock = { type: 'text', text: GO_ON_TEXT, byHost: true }

export function toModelMessages(messages: readonly Message[], reader: Reader): ModelMessage[] {
  const history: ModelMessage[] = []
  let owed: { readonly at: number; readonly note: ModelUserBlock }[] = []
  const say = (blocks: readonly ModelUserBlock[]): void => {
    if (blocks.length === 0) return
    const last = history.at(-1)
    if (last?.role === 'user') history[history.length - 1] = { role: 'user', content: [...last.content, ...blocks] }
    else history.push({ role: 'user', content: blocks })
  }
  const owe = (message: AssistantMessage): void => {
    for (const part of message.parts)
      if (part.kind === 'tool-call' && part.call.state.kind === 'failed' && part.call.state.late)
        owed.push({ at: part.call.state.late.at, note: lateNote(part.call, part.call.state.late.result, reader) })
  }
  const answer = (message: AssistantMessage): void => {
    const content = message.parts.flatMap((part) => assistantBlock(part))
    if (!content.some(({ type }) => type !== 'thinking' && type !== 'searched')) return
    if (history.at(-1)?.role !== 'user') say([GO_ON])
    history.push({ role: 'assistant', model: message.model, content })
    owe(message)
    say(message.parts.flatMap((part) => (part.kind === 'tool-call' && isOwed(part.call) ? [toolResultBlock(part.call, reader)] : [])))
  }
  const cut = cutOf(messages)
  for (const [index, message] of messages.entries()) {
    const covered = cut !== undefined && index < cut.index
    if (cut?.index === index) say([summaryBlock(cut.summary, spoken(messages.slice(0, index)))])
    if (message.role === 'user') {
      // Where the model had not yet read on: what it was sent before must not change.
      const { createdAt } = message
      if (!covered) {
        say(owed.filter(({ at }) => at < createdAt).map(({ note }) => note))
        for (const said of saidBlocks(message, reader)) {
          if (said.role === 'user') say(said.content)
          else if (said.content.length > 0) history.push({ role: 'assistant', model: '', content: textsOf(said.content) })
        }
      }
      owed = owed.filter(({ at }) => at >= createdAt)
    } else if (message.role === 'assistant') {
      if (covered) owe(message)
      else answer(message)
    }
  }
  if (history.at(-1)?.role === 'assistant') say([GO_ON])
  return capMedia(history)
}

const textsOf = (content: readonly ModelContent[]): ModelAssistantBlock[] =>
  content.flatMap((block) => (block.type === 'text' ? [{ type: 'text', text: block.text }] : []))

const spoken = (messages: readonly Message[]): Message[] => messages.filter(({ role }) => role !== 'summary')

/** A call whose arguments were still being written when it was cut off is left out, as if it had not begun. */
const wasWritten = (call: ToolCall): boolean => call.arguments !== undefined || call.rawArguments !== undefined

/** The model waits for its result. */
const isOwed = (call: ToolCall): boolean => wasWritten(call) && call.ranAt === undefined

function assistantBlock(part: AssistantMessage['parts'][number]): ModelAssistantBlock[] {
  switch (part.kind) {
    case 'text':
      return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text, ...(part.citations ? { citations: part.citations } : {}) }]
    case 'thinking': {
      const { text, signature, redacted, details } = part
      return [
        {
          type: 'thinking',
          text,
          ...(signature === undefined ? {} : { signature }),
          ...(redacted === undefined ? {} : { redacted }),
          ...(details === undefined ? {} : { details }),
        },
      ]
    }
    case 'tool-call': {
      const { call } = part
      if (call.ranAt) return call.ranAt.blocks.length > 0 ? [{ type: 'searched', blocks: call.ranAt.blocks }] : []
      if (!wasWritten(call)) return []
      const input = isJsonObject(call.arguments) ? call.arguments : {}
      const { providerData } = call
      return [{ type: 'tool-call', providerId: call.providerId, name: call.modelName, input, ...(providerData ? { providerData } : {}) }]
    }
  }
}
