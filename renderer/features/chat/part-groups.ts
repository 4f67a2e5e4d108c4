import type { AssistantPart, ToolCall } from '#app/chat/message.ts'

export type PartGroup =
  | { readonly kind: 'text' | 'thinking'; readonly index: number }
  /** Calls that follow each other stand together. */
  | { readonly kind: 'calls'; readonly index: number; readonly calls: readonly ToolCall[] }

/** The parts of an answer in order; empty text is left out. */
export function groupParts(parts: readonly AssistantPart[]): readonly PartGroup[] {
  const groups: PartGroup[] = []
  parts.forEach((part, index) => {
    const last = groups.at(-1)
    if (part.kind !== 'tool-call') {
      if (part.text.trim() !== '' || part.kind === 'thinking') groups.push({ kind: part.kind, index })
    } else if (last?.kind === 'calls') groups[groups.length - 1] = { ...last, calls: [...last.calls, part.call] }
    else groups.push({ kind: 'calls', index, calls: [part.call] })
  })
  return groups
}
