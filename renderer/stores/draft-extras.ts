// What stands in composers beside their text: attachments, and a prompt. Each change goes to the host at once; what it does not
// have yet is sent again with the next snapshot, and counts for more than what the host says.
import { createStore } from 'zustand/vanilla'
import { type DraftExtras, noExtras } from '#app/chat/draft-extras.ts'
import type { HostLink } from '#app/contract/link.ts'
import type { DraftSlot } from './draft-slot.ts'

export interface DraftExtrasState {
  readonly byConversation: Readonly<Record<string, DraftExtras>>
}

export function createDraftExtras(link: HostLink, slot: Pick<DraftSlot, 'toHost'>) {
  const store = createStore<DraftExtrasState>(() => ({ byConversation: {} }))
  const unkept = new Set<string>()

  const read = (id: string): DraftExtras => store.getState().byConversation[id] ?? noExtras
  const put = (id: string, extras: DraftExtras): void =>
    store.setState((state) => ({ byConversation: { ...state.byConversation, [id]: extras } }))

  function keep(id: string): void {
    const extras = read(id)
    const key = slot.toHost(id)
    if (key === undefined) return // It goes once that is known.
    link.request('draft.attach', key === '' ? { extras } : { conversationId: key, extras }).then(
      () => {
        if (read(id) === extras) unkept.delete(id)
      },
      () => {
        // Still unkept: the next snapshot sends it again.
      },
    )
  }

  return {
    store,
    read,
    /** '' is a new chat. */
    change(id: string, change: (before: DraftExtras) => DraftExtras): void {
      put(id, change(read(id)))
      unkept.add(id)
      keep(id)
    },
    fromHost(id: string, extras: DraftExtras): void {
      if (!unkept.has(id)) put(id, extras)
    },
    replace(byConversation: Readonly<Record<string, DraftExtras>>): void {
      const own = Object.fromEntries([...unkept].map((id) => [id, read(id)]))
      store.setState({ byConversation: { ...byConversation, ...own } })
      for (const id of unkept) keep(id)
    },
  }
}
