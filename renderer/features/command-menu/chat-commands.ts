// Chats: to one, and what its menu can do. The one that is open has its verbs among the commands.
import type { Activity, Conversation } from '#app/chat/conversation.ts'
import { t } from '#app/words/translate.ts'
import type { ChatChanges } from '#renderer/features/history/use-chat-changes.ts'
import { navigate } from '#renderer/router.ts'
import { dateGroup } from '#renderer/shell/chats/date-group.ts'
import type { Stores } from '#renderer/stores/stores.ts'
import type { Command } from './command.ts'

export interface ChatVerbs {
  readonly changes: ChatChanges
  readonly exportChats: (format: 'json' | 'markdown', ids: readonly string[]) => Promise<void>
}

const activityWord: Partial<Record<Activity['kind'], string>> = { working: t`running`, waiting: t`waits for you`, interrupted: t`cut off` }

/** `words`: among the verbs of one chat; `ofOpen`: among commands of all kinds. */
interface Verb {
  readonly command: Command
  readonly ofOpen: string
}

function verbsOf({ id, pinned, archivedAt, activity }: Conversation, { actions }: Stores, { changes, exportChats }: ChatVerbs): Verb[] {
  const working = activity.kind === 'working' || activity.kind === 'waiting'
  const archived = archivedAt !== undefined
  const stop = t`Stop the answer`
  return [
    ...(working ? [{ command: { id: `stop ${id}`, words: stop, icon: 'stop', act: () => actions.stop(id) } as const, ofOpen: stop }] : []),
    {
      command: {
        id: `pin ${id}`,
        words: pinned ? t`Unpin` : t`Pin`,
        icon: 'arrow-down',
        act: () => void changes.change([id], { kind: pinned ? 'unpin' : 'pin' }),
      },
      ofOpen: pinned ? t`Unpin this chat` : t`Pin this chat`,
    },
    {
      command: {
        id: `archive ${id}`,
        words: archived ? t`Bring back from the archive` : t`Archive`,
        icon: 'folder',
        act: () => void changes.change([id], { kind: archived ? 'unarchive' : 'archive' }),
      },
      ofOpen: archived ? t`Bring this chat back from the archive` : t`Archive this chat`,
    },
    {
      command: { id: `markdown ${id}`, words: t`Export as Markdown`, icon: 'file', act: () => void exportChats('markdown', [id]) },
      ofOpen: t`Export this chat as Markdown`,
    },
    {
      command: { id: `json ${id}`, words: t`Export as JSON`, icon: 'file', act: () => void exportChats('json', [id]) },
      ofOpen: t`Export this chat as JSON`,
    },
    {
      command: { id: `delete ${id}`, words: t`Delete`, icon: 'trash', act: () => void changes.change([id], { kind: 'delete' }) },
      ofOpen: t`Delete this chat`,
    },
  ]
}

export const chatCommands = (stores: Stores, chats: readonly Conversation[], verbs: ChatVerbs): Command[] =>
  chats.map((chat) => ({
    id: `chat ${chat.id}`,
    words: chat.title,
    icon: 'chat',
    end: activityWord[chat.activity.kind] ?? dateGroup(chat.updatedAt, Date.now()).toLowerCase(),
    act: () => navigate({ page: 'chat', id: chat.id }),
    more: { title: chat.title, groups: [{ title: t`Chat`, commands: verbsOf(chat, stores, verbs).map(({ command }) => command) }] },
  }))

/** Of the chat that is open: "Archive this chat". */
export const openChatCommands = (stores: Stores, chat: Conversation, verbs: ChatVerbs): Command[] =>
  verbsOf(chat, stores, verbs).map(({ command, ofOpen }) => ({ ...command, words: ofOpen }))
