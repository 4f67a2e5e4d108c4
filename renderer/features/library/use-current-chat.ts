import type { Conversation } from '#app/chat/conversation.ts'
import { useConversations, useView } from '#renderer/stores/store-hooks.tsx'

/** The chat that was open last in this window, else the newest. Undefined: there is none. */
export function useCurrentChat(): Conversation | undefined {
  const last = useView((state) => state.lastChat)
  return useConversations((state) => state.list.find(({ id }) => id === last) ?? state.list[0])
}
