import type { AssistantPart, Message, ToolCall } from '#app/chat/message.ts'

export const callsIn = (message: Message): ToolCall[] =>
  message.role === 'assistant' ? message.parts.flatMap((part) => (part.kind === 'tool-call' ? [part.call] : [])) : []

export const mapCalls = (parts: readonly AssistantPart[], change: (call: ToolCall) => ToolCall): AssistantPart[] =>
  parts.map((part) => (part.kind === 'tool-call' ? { ...part, call: change(part.call) } : part))
