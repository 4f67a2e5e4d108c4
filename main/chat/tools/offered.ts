// Which tools a conversation is offered: those of the servers that its folder lets it use, less what is switched off in it.
// Its calls are looked up in the same ones: a call to any other ends as one to a tool that is not there.
import type { ChatFolder } from '#app/chat/chat-folder.ts'
import type { Conversation } from '#app/chat/conversation.ts'
import { isServerOff, isToolOff } from '#app/chat/tool-switches.ts'
import type { OfferedTool } from '#main/servers/types.ts'
import type { Store } from '#main/store/types.ts'

type Switched = Pick<Conversation, 'tools'>
type Folder = Pick<ChatFolder, 'servers'> | undefined

export const isServerOffered = (conversation: Switched, folder: Folder, server: string): boolean =>
  !isServerOff(conversation.tools, server) && (folder?.servers?.includes(server) ?? true)

/** In their order. */
export const offeredTools = (conversation: Switched, folder: Folder, tools: OfferedTool[]): OfferedTool[] =>
  conversation.tools === undefined && folder?.servers === undefined
    ? tools
    : tools.filter(({ server, tool }) => isServerOffered(conversation, folder, server) && !isToolOff(conversation.tools, server, tool.name))

/** The folder of chats that it lies in. */
export const folderOf = (store: Pick<Store, 'chatFolders'>, { folderId }: Pick<Conversation, 'folderId'>): ChatFolder | undefined =>
  folderId === undefined ? undefined : store.chatFolders.get(folderId)
