// The person's last words, and what has been called and answered since.
import type { Json, JsonObject } from '#app/json.ts'
import type { ModelMessage, ModelUserBlock } from '../provider.ts'

export interface Called {
  readonly name: string
  readonly input: JsonObject
  readonly text: string
  readonly structured?: Json | undefined
  readonly isError: boolean
}
export interface Turn {
  readonly goal: string
  /** One list a step, the latest last. */
  readonly steps: readonly (readonly Called[])[]
}

const wordsIn = (blocks: readonly ModelUserBlock[]): string =>
  blocks
    .flatMap((block) => (block.type === 'text' && !block.byHost ? [block.text] : []))
    .join('\n')
    .trim()

export function turnOf(messages: readonly ModelMessage[]): Turn {
  const start = messages.findLastIndex((message) => message.role === 'user' && wordsIn(message.content) !== '')
  const first = messages[start]
  const goal = first?.role === 'user' ? wordsIn(first.content) : ''
  const results = new Map<string, ModelUserBlock & { type: 'tool-result' }>()
  const since = messages.slice(start + 1)
  for (const message of since) {
    if (message.role !== 'user') continue
    for (const block of message.content) if (block.type === 'tool-result') results.set(block.providerId, block)
  }
  const steps = since.flatMap((message) => {
    if (message.role !== 'assistant') return []
    const calls = message.content.flatMap((block): Called[] => {
      const result = block.type === 'tool-call' ? results.get(block.providerId) : undefined
      if (block.type !== 'tool-call' || !result) return []
      const text = result.content.flatMap((content) => (content.type === 'text' ? [content.text] : [])).join('\n\n')
      return [{ name: block.name, input: block.input, text, structured: result.structured, isError: result.isError }]
    })
    return calls.length === 0 ? [] : [calls]
  })
  return { goal, steps }
}
