import { OpenChat } from '#renderer/pages/pages.ts'
import { useConversations } from '#renderer/stores/react.tsx'
import { MissingChat } from './missing-chat.tsx'
import { NewChat } from './new-chat.tsx'

export function ChatPage({ id }: { readonly id: string | undefined }) {
  const conversation = useConversations((state) => state.list.find((one) => one.id === id))
  if (id === undefined) return <NewChat />
  return conversation ? <OpenChat conversation={conversation} /> : <MissingChat id={id} />
}
