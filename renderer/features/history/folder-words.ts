import type { ChatFolder } from '#app/chat/chat-folder.ts'
import { t } from '#app/words/translate.ts'

const counted = (count: number, one: string, many: string): string => (count === 1 ? `1 ${one}` : `${count} ${many}`)

/** What the chats of a folder share, a line each. */
export function folderWords({ systemPrompt, servers, roots }: ChatFolder): readonly string[] {
  const told = roots?.length ?? 0
  return [
    systemPrompt?.trim() ? t`The model reads the folder’s instructions` : t`No instructions of its own`,
    servers === undefined
      ? t`Tools of all servers`
      : servers.length === 0
        ? t`No tools of any server`
        : t`Tools of ${counted(servers.length, t`server`, t`servers`)}: ${servers.join(', ')}`,
    told === 0
      ? t`No folders on this computer of its own`
      : t`Servers may be told of ${counted(told, t`folder`, t`folders`)} on this computer, once you agree`,
  ]
}
