// A search for tools that the provider runs itself, in the midst of an answer. In the transcript it is a call of the host's own
// search that has ended when it comes: nobody is asked, nothing is run here, and what it found counts as found (`sent-tools.ts`).
import type { ToolCall } from '#app/chat/message.ts'
import { FIND_TOOLS } from '#app/chat/tool-names.ts'
import type { Clock } from '#main/base/clock.ts'
import { newId } from '#main/base/ids.ts'
import type { ModelEvent } from '#main/models/provider.ts'
import { byHost } from './own-tools/own-tools.ts'
import type { MessageWriter } from './writer.ts'

type SearchEvent = Extract<ModelEvent, { type: 'search-start' | 'searched' }>

export type ProviderSearches = (event: SearchEvent) => void

/** Of one answer. */
export function createProviderSearches(writer: MessageWriter, clock: Clock): ProviderSearches {
  const open = new Map<number, { readonly part: number; readonly id: string; readonly at: number }>()
  function begin({ index, providerId }: SearchEvent) {
    const id = newId()
    const call = { id, providerId, modelName: FIND_TOOLS, own: true, state: { kind: 'writing' } } as const
    const begun = { part: writer.addPart({ kind: 'tool-call', call }), id, at: clock.now() }
    open.set(index, begun)
    return begun
  }
  return (event) => {
    const { part, id, at } = open.get(event.index) ?? begin(event)
    if (event.type === 'searched') writer.replacePart(part, { kind: 'tool-call', call: searchedCall(event, id, at, clock.now()) })
  }
}

function searchedCall(event: Extract<SearchEvent, { type: 'searched' }>, id: string, startedAt: number, now: number): ToolCall {
  const { providerId, by, query, found, failed, blocks } = event
  const said = failed === undefined ? JSON.stringify(found) : failed
  return {
    id,
    providerId,
    modelName: FIND_TOOLS,
    own: true,
    arguments: { query },
    ranAt: { name: by, blocks: [...blocks] },
    state: {
      kind: 'done',
      decision: byHost,
      startedAt,
      durationMs: now - startedAt,
      result: {
        ...(failed === undefined
          ? { content: [], structuredContent: { found: [...found] }, isError: false }
          : { content: [{ type: 'text', text: failed }], isError: true }),
        bytes: Buffer.byteLength(said),
      },
    },
  }
}
