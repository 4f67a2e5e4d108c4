import { createStore } from 'zustand/vanilla'
import type { Conversation } from '#app/chat/conversation.ts'

export interface ConversationsState {
  /** Newest first. */
  readonly list: readonly Conversation[]
}

export const createConversationsStore = () => createStore<ConversationsState>(() => ({ list: [] }))

const newestFirst = (a: Conversation, b: Conversation): number => b.updatedAt - a.updatedAt || (a.id < b.id ? 1 : -1)

export function withConversation(state: ConversationsState, conversation: Conversation): ConversationsState {
  return { list: [...state.list.filter((one) => one.id !== conversation.id), conversation].sort(newestFirst) }
}

export function withoutConversation(state: ConversationsState, id: string): ConversationsState {
  return { list: state.list.filter((one) => one.id !== id) }
}
