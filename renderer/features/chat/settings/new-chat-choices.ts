// What is chosen for a chat that has not begun: it counts in that chat alone. Where it begins in no folder, its model and the
// way it asks are what new chats begin with from then on, too.
import { useCallback } from 'react'
import { useActions, useStores, useView } from '#renderer/stores/store-hooks.tsx'
import type { NewChoice } from '#renderer/stores/view-state.ts'

export interface BeginningChat {
  readonly folderId: string | undefined
  readonly choice: NewChoice
  readonly change: (patch: NewChoice) => void
  /** It has begun. */
  readonly forget: () => void
}

const none: NewChoice = {}

export function useBeginningChat(folderId?: string): BeginningChat {
  const { view } = useStores()
  const place = folderId ?? ''
  const choice = useView((state) => state.newChats[place] ?? none)
  const put = useCallback(
    (next: (before: NewChoice) => NewChoice): void =>
      view.setState(({ newChats }) => ({ newChats: { ...newChats, [place]: next(newChats[place] ?? none) } })),
    [view, place],
  )
  const change = useCallback((patch: NewChoice): void => put((before) => ({ ...before, ...patch })), [put])
  const forget = useCallback((): void => put(() => none), [put])
  return { folderId, choice, change, forget }
}

/** Counts in the chat from here on, also for a message that is sent before the host has heard of it. */
export function useChooseModel(begins: BeginningChat | undefined): (model: string) => void {
  const { set } = useActions()
  return (model) => {
    begins?.change({ model })
    if (begins?.folderId === undefined) set({ defaultModel: model })
  }
}
