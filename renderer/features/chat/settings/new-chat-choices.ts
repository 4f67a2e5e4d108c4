// Choices for a new chat. They count in that chat alone; outside of folders, its model and mode become the default of later chats.
import { useCallback, useMemo } from 'react'
import { useActions, useSettings, useStores, useView } from '#renderer/stores/store-hooks.tsx'
import type { NewChoice } from '#renderer/stores/view-state.ts'

export type BeginningChat = ReturnType<typeof useBeginningChat>

/** Props of the composer's pickers. A new chat has no id; its choices are in `begins`. */
export interface PickerProps {
  readonly conversationId: string | undefined
  readonly model: string
  readonly begins?: BeginningChat | undefined
}

const none: NewChoice = {}

export function useBeginningChat(folderId?: string) {
  const { view } = useStores()
  const place = folderId ?? ''
  const choice = useView((state) => state.newChats[place] ?? none)
  return useMemo(() => {
    const put = (next: (before: NewChoice) => NewChoice): void =>
      view.setState(({ newChats }) => ({ newChats: { ...newChats, [place]: next(newChats[place] ?? none) } }))
    return {
      folderId,
      choice,
      change: (patch: NewChoice): void => put((before) => ({ ...before, ...patch })),
      forget: (): void => put(() => none),
    }
  }, [view, place, folderId, choice])
}

/** Chooses the model of a new chat at once, also for a message that is sent before the host knows the choice. */
export function useChooseModel(begins: BeginningChat | undefined): (model: string) => void {
  const { set } = useActions()
  return useCallback(
    (model) => {
      begins?.change({ model })
      if (begins?.folderId === undefined) set({ defaultModel: model })
    },
    [begins, set],
  )
}

export function useFavourites() {
  const { set } = useActions()
  const favourites = useSettings((state) => state.settings.favouriteModels)
  const toggle = useCallback(
    (id: string): void => set({ favouriteModels: favourites.includes(id) ? favourites.filter((one) => one !== id) : [...favourites, id] }),
    [favourites, set],
  )
  return { favourites, toggle }
}
