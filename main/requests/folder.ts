import { isDeepStrictEqual } from 'node:util'
import type { Conversation } from '#app/chat/conversation.ts'
import { HostError } from '#app/errors.ts'
import type { FolderOwner } from '#app/folders.ts'
import { t } from '#app/words/translate.ts'
import { completeFolder } from '#main/host/complete-folder.ts'
import { checkedFolders, chosenFolders, lookedAt } from '#main/host/folders.ts'
import type { HandlersOf, HostParts } from './handlers.ts'

export function folderRequests(host: HostParts): HandlersOf<'folder'> {
  const { store } = host

  function conversation(id: string): Conversation {
    const found = store.conversations.get(id)
    if (!found) throw new HostError('chat.unknown-conversation', t`This chat is not there any more.`, { data: { conversationId: id } })
    return found
  }

  function keep(owner: FolderOwner, roots: string[]): void {
    switch (owner.kind) {
      case 'everyone':
        host.emit('settings.changed', { settings: store.settings.set({ roots }) })
        break
      case 'server':
        store.servers.putFolders(owner.name, roots)
        break
      case 'chatFolder': {
        const { roots: _, ...others } = host.history.folder(owner.id)
        host.history.putFolder(roots.length > 0 ? { ...others, roots } : others)
        break
      }
      case 'conversation': {
        const { roots: _, ...others } = conversation(owner.id)
        const changed: Conversation = roots.length > 0 ? { ...others, roots } : others
        store.conversations.put(changed)
        host.emit('conversation.changed', { conversation: changed })
      }
    }
  }

  return {
    'folder.complete': ({ typed, files }) => completeFolder(typed, files),
    'folder.list': ({ owner }) => ({
      folders: lookedAt(chosenFolders(store, owner)),
      told: owner.kind === 'server' ? store.rules.told(owner.name) : [],
    }),
    'folder.set'({ owner, paths }) {
      if (owner.kind === 'conversation') conversation(owner.id)
      if (owner.kind === 'chatFolder') host.history.folder(owner.id)
      const before = chosenFolders(store, owner)
      const roots = checkedFolders(paths, before)
      if (isDeepStrictEqual(roots, before)) return {}
      // On record first: more folders are more that servers may be told of.
      store.audit.append({
        kind: 'config',
        decision: 'folders',
        by: 'person',
        ...(owner.kind === 'server' ? { server: owner.name } : {}),
        ...(owner.kind === 'conversation' ? { conversationId: owner.id } : {}),
        detail: { roots, ...(owner.kind === 'chatFolder' ? { chatFolder: owner.id } : {}) },
      })
      keep(owner, roots)
      // Of a chat's own, or its folder's, a server learns when the next call of it begins: outside of it they are not its concern.
      if (owner.kind === 'everyone' || owner.kind === 'server') host.servers.rootsChanged(owner.kind === 'server' ? owner.name : undefined)
      return {}
    },
    'folder.askAgain'({ server }) {
      host.broker.forgetTold(server)
      return {}
    },
  }
}
