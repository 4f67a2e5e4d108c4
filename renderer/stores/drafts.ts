// What is written but not sent, by conversation ('' is a new chat) or by the message that it is to replace. The page's own words come first: while some of
// them are not with the host yet, what the host says about that draft is older and does not count.
import { createStore } from 'zustand/vanilla'
import { draftOwner } from '#app/chat/drafts.ts'
import type { HostLink } from '#app/contract/link.ts'

export interface DraftsState {
  readonly byConversation: Readonly<Record<string, string>>
}

const keepAfterMs = 400

export type Drafts = ReturnType<typeof createDrafts>

export function createDrafts(link: HostLink) {
  const store = createStore<DraftsState>(() => ({ byConversation: {} }))
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  const unkept = new Set<string>()

  const put = (id: string, text: string): void =>
    store.setState((state) =>
      (state.byConversation[id] ?? '') === text ? state : { byConversation: { ...state.byConversation, [id]: text } },
    )

  const read = (id: string): string => store.getState().byConversation[id] ?? ''

  function keep(id: string): void {
    clearTimeout(timers.get(id))
    timers.delete(id)
    const text = read(id)
    link.request('draft.set', { ...draftOwner(id), text }).then(
      () => {
        if (read(id) === text) unkept.delete(id)
      },
      () => {
        // Still unkept: the next snapshot sends it again.
      },
    )
  }

  return {
    store,
    read,
    set(id: string, text: string): void {
      if (read(id) === text) return
      put(id, text)
      unkept.add(id)
      clearTimeout(timers.get(id))
      timers.set(
        id,
        setTimeout(() => keep(id), keepAfterMs),
      )
    },
    /** Sends what is unkept now: the page is about to go. */
    keepAll(): void {
      for (const id of unkept) keep(id)
    },
    fromHost(id: string, text: string): void {
      if (!unkept.has(id)) put(id, text)
    },
    replace(byConversation: Readonly<Record<string, string>>): void {
      const own = Object.fromEntries([...unkept].map((id) => [id, read(id)]))
      store.setState({ byConversation: { ...byConversation, ...own } })
      for (const id of unkept) keep(id)
    },
    dispose(): void {
      for (const timer of timers.values()) clearTimeout(timer)
      timers.clear()
    },
  }
}
