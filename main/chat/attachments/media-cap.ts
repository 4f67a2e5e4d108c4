// What one request may carry in images and PDFs: providers refuse one of more than 32 MB. The latest stay; in the place of
// older ones the model reads that they were left out.
import type { ModelContent, ModelMessage, ModelUserBlock } from '#main/models/provider.ts'

/** Of base64. */
const MOST_DATA = 29_000_000
const MOST_PARTS = 100

const GONE: ModelContent = {
  type: 'text',
  text: '[An image or PDF that stood here is left out: the conversation has more than one request can carry. The person still sees it.]',
  byHost: true,
}

export function capMedia(messages: readonly ModelMessage[], mostData = MOST_DATA, mostParts = MOST_PARTS): ModelMessage[] {
  let room = mostData
  let parts = mostParts
  /** Counts what it keeps. */
  const keep = <Block extends ModelUserBlock>(block: Block): Block | ModelContent => {
    if (block.type === 'tool-result') return { ...block, content: last(block.content, (one) => keep(one) as ModelContent) }
    if (block.type === 'text') return block
    parts -= 1
    room -= block.data.length
    return parts < 0 || room < 0 ? GONE : block
  }
  return last(messages, (message) => (message.role === 'user' ? { ...message, content: last(message.content, keep) } : message))
}

/** Mapped from the last to the first, in its own order. */
const last = <T, R>(list: readonly T[], change: (one: T) => R): R[] => list.toReversed().map(change).reverse()
