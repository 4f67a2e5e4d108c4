import type { Activity } from '#app/chat/conversation.ts'
import { useConversations } from '#renderer/stores/react.tsx'

/** An answer is being written, or waits for the person in the midst of it. */
export const isBusy = (activity: Activity | undefined): boolean => activity?.kind === 'working' || activity?.kind === 'waiting'

export const useBusy = (conversationId: string): boolean =>
  useConversations((state) => isBusy(state.list.find(({ id }) => id === conversationId)?.activity))
