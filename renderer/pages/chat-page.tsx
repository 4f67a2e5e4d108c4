import { useConversations } from '#renderer/stores/store-hooks.tsx'
import { MissingChat } from '../features/chat/missing-chat.tsx'
import { NewChat } from '../features/chat/new-chat.tsx'
import { LazyOpenChat } from './pages.ts'

export function ChatPage({ id }: { readonly id: string | undefined }) {
  const conversation = useConversations((state) => state.list.find((one) => one.id === id))
  if (id === undefined) return <NewChat />
  return conversation ? <LazyOpenChat conversation={conversation} /> : <MissingChat id={id} />
}
