import type { ChatFolder } from '#app/chat/chat-folder.ts'
import { t } from '#app/words/translate.ts'

/** What the chats of a folder share, a line each. */
export function folderWords({ systemPrompt, servers, roots }: ChatFolder): readonly string[] {
  const told = roots?.length ?? 0
  return [
    systemPrompt?.trim() ? t`The model reads the folder’s instructions` : t`No instructions of its own`,
    servers === undefined
      ? t`Tools of all servers`
      : servers.length === 0
        ? t`No tools of any server`
        : servers.length === 1
          ? t`Tools of 1 server: ${servers.join(', ')}`
          : t`Tools of ${servers.length} servers: ${servers.join(', ')}`,
    told === 0
      ? t`No folders on this computer of its own`
      : told === 1
        ? t`Servers may be told of 1 folder on this computer, once you agree`
        : t`Servers may be told of ${told} folders on this computer, once you agree`,
  ]
}
