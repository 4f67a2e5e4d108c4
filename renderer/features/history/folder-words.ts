import type { ChatFolder } from '#app/chat/chat-folder.ts'

const counted = (count: number, one: string, many: string): string => (count === 1 ? `1 ${one}` : `${count} ${many}`)

/** What the chats of a folder share, a line each. */
export function folderWords({ systemPrompt, servers, roots }: ChatFolder): readonly string[] {
  const told = roots?.length ?? 0
  return [
    systemPrompt?.trim() ? 'The model reads the folder’s instructions' : 'No instructions of its own',
    servers === undefined
      ? 'Tools of all servers'
      : servers.length === 0
        ? 'No tools of any server'
        : `Tools of ${counted(servers.length, 'server', 'servers')}: ${servers.join(', ')}`,
    told === 0
      ? 'No folders on this computer of its own'
      : `Servers may be told of ${counted(told, 'folder', 'folders')} on this computer, once you agree`,
  ]
}
