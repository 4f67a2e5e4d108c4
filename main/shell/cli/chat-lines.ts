// A turn as lines: what the host tells of one conversation, turned into the events that `assent chat` prints. Messages may
// be told whole and again; each text, call, decision and result comes out once.
import type { AssistantMessage, Message, ToolCall, ToolCallState } from '#app/chat/message.ts'
import type { HostEvent } from '#app/contract/events.ts'
import type { ErrorValue } from '#app/errors.ts'
import type { Json } from '#app/json.ts'

export type ChatLine =
  | { readonly type: 'text' | 'thinking'; readonly text: string }
  | {
      readonly type: 'tool-call'
      readonly callId: string
      readonly server: string | null
      readonly tool: string | null
      readonly modelName: string
      readonly arguments: Json
    }
  | {
      readonly type: 'consent'
      readonly callId: string
      readonly decision: 'allowed' | 'denied'
      readonly by: string
      readonly scope: string
      readonly word?: string
    }
  | {
      readonly type: 'tool-result'
      readonly callId: string
      readonly outcome: 'done' | 'denied' | 'failed' | 'cancelled' | 'unknown'
      readonly isError: boolean
      readonly result?: unknown
      readonly error?: ErrorValue
      readonly durationMs?: number
    }
  | { readonly type: 'usage'; readonly [key: string]: Json | undefined }
  | { readonly type: 'error'; readonly error: ErrorValue }
  /** `cut`: the answer reached its token limit and is not whole. */
  | { readonly type: 'done'; readonly conversationId: string; readonly state: string; readonly cut?: 'max-tokens' }

export interface ChatLines {
  onEvent(event: HostEvent): void
  /** The message as it stands; what was not told yet comes out. */
  onMessage(message: Message): void
}

export function createChatLines(conversationId: string, print: (line: ChatLine) => void): ChatLines {
  const messages = new Map<string, AssistantMessage>()
  const told = new Set<string>()
  const lengths = new Map<string, number>()

  const once = (key: string, line: () => ChatLine): void => {
    if (told.has(key)) return
    told.add(key)
    print(line())
  }

  function tellText(key: string, type: 'text' | 'thinking', text: string): void {
    const from = lengths.get(key) ?? 0
    if (text.length <= from) return
    lengths.set(key, text.length)
    print({ type, text: text.slice(from) })
  }

  function tellCall(call: ToolCall): void {
    const { id, state } = call
    if (state.kind === 'writing') return
    once(`${id} call`, () => ({
      type: 'tool-call',
      callId: id,
      server: call.server ?? null,
      tool: call.tool ?? null,
      modelName: call.modelName,
      arguments: call.arguments ?? null,
    }))
    const decision = 'decision' in state ? state.decision : undefined
    if (decision)
      once(`${id} consent`, () => ({
        type: 'consent',
        callId: id,
        decision: decision.allowed ? 'allowed' : 'denied',
        by: decision.by,
        scope: decision.scope,
        ...(decision.word === undefined ? {} : { word: decision.word }),
      }))
    const result = resultLine(id, state)
    if (result) once(`${id} result`, () => result)
  }

  function onMessage(message: Message): void {
    if (message.conversationId !== conversationId || message.role !== 'assistant') return
    messages.set(message.id, message)
    for (const [index, part] of message.parts.entries()) {
      if (part.kind === 'tool-call') tellCall(part.call)
      else tellText(`${message.id} ${index} ${part.kind}`, part.kind, part.text)
    }
    const { usage, error } = message
    if (usage && message.state !== 'streaming') once(`${message.id} usage`, () => ({ type: 'usage', ...usage }))
    if (error) once(`${message.id} error`, () => ({ type: 'error', error }))
  }

  return {
    onMessage,
    onEvent(event) {
      if (event.name === 'message.changed') return onMessage(event.payload.message)
      if (event.name !== 'message.delta' && event.name !== 'toolCall.changed') return
      const message = messages.get(event.payload.messageId)
      if (!message || event.payload.conversationId !== conversationId) return
      if (event.name === 'message.delta') {
        const { part, offset, text } = event.payload
        const kind = message.parts[part]?.kind ?? 'text'
        // What turns out to be text after all is told whole, as that.
        const key = `${message.id} ${part} ${kind}`
        if (kind === 'tool-call' || offset !== (lengths.get(key) ?? 0)) return
        lengths.set(key, offset + text.length)
        print({ type: kind, text })
        return
      }
      const { callId, state, arguments: edited } = event.payload
      const found = message.parts.find((part) => part.kind === 'tool-call' && part.call.id === callId)
      if (found?.kind === 'tool-call') tellCall({ ...found.call, state, ...(edited === undefined ? {} : { arguments: edited }) })
    },
  }
}

function resultLine(callId: string, state: ToolCallState): ChatLine | undefined {
  switch (state.kind) {
    case 'done':
      return {
        type: 'tool-result',
        callId,
        outcome: 'done',
        isError: state.result.isError,
        result: state.result,
        durationMs: state.durationMs,
      }
    case 'failed':
      return { type: 'tool-result', callId, outcome: 'failed', isError: true, error: state.error }
    case 'denied':
    case 'cancelled':
    case 'unknown':
      return { type: 'tool-result', callId, outcome: state.kind, isError: true }
    default:
      return undefined
  }
}
