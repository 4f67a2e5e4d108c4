// Which summary stands in place of the older part of a path, and from where on the model reads the messages themselves.
import type { SummaryMessage } from './message.ts'

/** Of other messages nothing counts but their place. */
export type PathStep = SummaryMessage | { readonly id: string; readonly role: 'user' | 'assistant' }

export interface Cut {
  readonly summary: SummaryMessage
  /** In the path: of the first message that the model still reads whole. */
  readonly index: number
}

/** The one that reaches furthest; of equals the latest. Undefined: the model reads everything. */
export function cutOf(path: readonly PathStep[]): Cut | undefined {
  const places = new Map(path.map(({ id }, index) => [id, index]))
  let cut: Cut | undefined
  for (const message of path) {
    if (message.role !== 'summary' || message.state !== 'done' || message.undone) continue
    const until = places.get(message.covers.until)
    if (until !== undefined && until + 1 >= (cut?.index ?? 0)) cut = { summary: message, index: until + 1 }
  }
  return cut
}
