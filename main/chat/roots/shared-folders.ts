// Folders that the person offers to servers. A server is told of the chat's own, else those of the chat's folder, else the server's
// own, else those of the settings (docs/notes/roots-and-forms.md).
import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { ChosenFolder, FolderOwner } from '#app/shared-folders.ts'
import { isFolder } from '#main/base/is-folder.ts'
import type { Store } from '#main/store/store-api.ts'

/** Returns absolute paths, each once. `known` paths are not checked again: a drive may be away. @throws {HostError} `folder.not-found` */
export function checkedFolders(typed: readonly string[], known: readonly string[]): string[] {
  return [...new Set(typed.map((path) => (known.includes(path) ? path : checked(path.trim()))))]
}

function checked(typed: string): string {
  const path = /^~[/\\]|^~$/.test(typed) ? join(homedir(), typed.slice(1)) : typed
  if (isAbsolute(path) && isFolder(path)) return resolve(path)
  const message = isAbsolute(path) ? t`There is no folder ${path}.` : t`“${typed}” is not the whole path of a folder.`
  throw new HostError('folder.not-found', message, { data: { path: typed } })
}

type Owners = Pick<Store, 'settings' | 'servers' | 'conversations' | 'chatFolders'>

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

/** Folders that a server may be told of in a conversation, or outside of any. */
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
