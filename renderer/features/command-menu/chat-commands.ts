// Chats: to one, and what its menu can do. The one that is open has its verbs among the commands.
import type { Activity, Conversation } from '#app/chat/conversation.ts'
import type { ChatChanges } from '#renderer/features/history/use-chat-changes.ts'
import { navigate } from '#renderer/router.ts'
import { dateGroup } from '#renderer/shell/chats/date-group.ts'
import type { Stores } from '#renderer/stores/stores.ts'
import type { Command } from './command.ts'

export interface ChatVerbs {
  readonly changes: ChatChanges
  readonly exportChats: (format: 'json' | 'markdown', ids: readonly string[]) => Promise<void>
}

const activityWord: Partial<Record<Activity['kind'], string>> = { working: 'running', waiting: 'waits for you', interrupted: 'cut off' }

function verbsOf({ id, pinned, archivedAt, activity }: Conversation, { actions }: Stores, { changes, exportChats }: ChatVerbs): Command[] {
  const working = activity.kind === 'working' || activity.kind === 'waiting'
  const archived = archivedAt !== undefined
  return [
    ...(working ? [{ id: `stop ${id}`, words: 'Stop the answer', icon: 'stop', act: () => actions.stop(id) } as const] : []),
    {
      id: `pin ${id}`,
      words: pinned ? 'Unpin' : 'Pin',
      icon: 'arrow-down',
      act: () => void changes.change([id], { kind: pinned ? 'unpin' : 'pin' }),
    },
    {
      id: `archive ${id}`,
      words: archived ? 'Bring back from the archive' : 'Archive',
      icon: 'folder',
      act: () => void changes.change([id], { kind: archived ? 'unarchive' : 'archive' }),
    },
    { id: `markdown ${id}`, words: 'Export as Markdown', icon: 'file', act: () => void exportChats('markdown', [id]) },
    { id: `json ${id}`, words: 'Export as JSON', icon: 'file', act: () => void exportChats('json', [id]) },
    { id: `delete ${id}`, words: 'Delete', icon: 'trash', act: () => void changes.change([id], { kind: 'delete' }) },
  ]
}

export const chatCommands = (stores: Stores, chats: readonly Conversation[], verbs: ChatVerbs): Command[] =>
  chats.map((chat) => ({
    id: `chat ${chat.id}`,
    words: chat.title,
    icon: 'chat',
    end: activityWord[chat.activity.kind] ?? dateGroup(chat.updatedAt, Date.now()).toLowerCase(),
    act: () => navigate({ page: 'chat', id: chat.id }),
    more: { title: chat.title, groups: [{ title: 'Chat', commands: verbsOf(chat, stores, verbs) }] },
  }))

/** Of the chat that is open: "Archive this chat". */
export const openChatCommands = (stores: Stores, chat: Conversation, verbs: ChatVerbs): Command[] =>
  verbsOf(chat, stores, verbs).map((command) => ({
    ...command,
    words: command.words.startsWith('Stop') ? command.words : thisChat(command.words),
  }))

const thisChat = (words: string): string =>
  words.startsWith('Export')
    ? words.replace('Export', 'Export this chat')
    : words.replace(/^(Unpin|Pin|Archive|Delete|Bring)/, '$1 this chat')
