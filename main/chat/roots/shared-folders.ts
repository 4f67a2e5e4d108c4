// Folders that the person offers to servers: each is there when it is chosen, absolute, and listed once. Whose they are
// decides which of them a server is told of: a chat's own, else those of the folder of chats it lies in, else the server's own,
// else everybody's (docs/notes/roots-and-forms.md).
import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { ChosenFolder, FolderOwner } from '#app/shared-folders.ts'
import { isFolder } from '#main/base/is-folder.ts'
import type { Store } from '#main/store/store-api.ts'

/** `known` ones are not looked at again: a drive may be away for a while. Throws `folder.not-found`. */
export function checkedFolders(typed: readonly string[], known: readonly string[]): string[] {
  return [...new Set(typed.map((path) => (known.includes(path) ? path : checked(path.trim()))))]
}

function checked(typed: string): string {
  const path = /^~[/\\]|^~$/.test(typed) ? join(homedir(), typed.slice(1)) : typed
  if (isAbsolute(path) && isFolder(path)) return resolve(path)
  throw new HostError(
    'folder.not-found',
    isAbsolute(path) ? t`There is no folder ${path}.` : t`“${typed}” is not the whole path of a folder.`,
    {
      data: { path: typed },
    },
  )
}

type Owners = Pick<Store, 'settings' | 'servers' | 'conversations' | 'chatFolders'>

/** What is chosen by nobody else comes from the settings. */
export function chosenFolders({ settings, servers, conversations, chatFolders }: Owners, owner: FolderOwner): string[] {
  switch (owner.kind) {
    case 'everyone':
      return settings.get().roots
    case 'server':
      return servers.folders(owner.name)
    case 'chatFolder':
      return chatFolders.get(owner.id)?.roots ?? []
    case 'conversation':
      return conversations.get(owner.id)?.roots ?? []
  }
}

/** Which a server may be told of in a conversation, or outside of any. */
export function offeredFolders(store: Owners, server: string, conversationId: string | undefined): string[] {
  const folderId = conversationId === undefined ? undefined : store.conversations.get(conversationId)?.folderId
  const owners: FolderOwner[] = [
    ...(conversationId === undefined ? [] : [{ kind: 'conversation', id: conversationId } as const]),
    ...(folderId === undefined ? [] : [{ kind: 'chatFolder', id: folderId } as const]),
    { kind: 'server', name: server },
  ]
  return owners.map((owner) => chosenFolders(store, owner)).find((paths) => paths.length > 0) ?? store.settings.get().roots
}

export const lookedAt = (paths: readonly string[]): ChosenFolder[] => paths.map((path) => ({ path, there: isFolder(path) }))
