import { isDeepStrictEqual } from 'node:util'
import type { Conversation } from '#app/chat/conversation.ts'
import { defined } from '#app/or-else.ts'
import type { FolderOwner } from '#app/shared-folders.ts'
import { completeFolder } from '#main/chat/roots/complete-path.ts'
import { checkedFolders, chosenFolders, lookedAt } from '#main/chat/roots/shared-folders.ts'
import { requireModel } from '#main/models/default-model.ts'
import { type HandlersOf, type HostContext, knownConversation } from './request-handlers.ts'

export const chatFolderHandlers = ({ history, models }: HostContext): HandlersOf<'chatFolder'> => ({
  'chatFolder.save'({ id, draft }) {
    if (draft.model !== undefined && draft.model !== (id === undefined ? undefined : history.folder(id).model))
      requireModel(models, draft.model)
    return { id: history.saveFolder(id, draft) }
  },
  'chatFolder.setClosed': ({ id, closed }) => void history.putFolder(defined({ ...history.folder(id), closed: closed || undefined })),
  'chatFolder.remove': ({ id }) => history.removeFolder(id),
})

export function folderHandlers(context: HostContext): HandlersOf<'folder'> {
  const { store } = context

  function setFolders(owner: FolderOwner, roots: string[]): void {
    const kept = roots.length > 0 ? roots : undefined
    switch (owner.kind) {
      case 'everyone':
        context.emit('settings.changed', { settings: store.settings.set({ roots }) })
        break
      case 'server':
        store.servers.putFolders(owner.name, roots)
        break
      case 'chatFolder':
        context.history.putFolder(defined({ ...context.history.folder(owner.id), roots: kept }))
        break
      case 'conversation': {
        const conversation: Conversation = defined({ ...knownConversation(context, owner.id), roots: kept })
        store.conversations.put(conversation)
        context.emit('conversation.changed', { conversation })
      }
    }
  }

  return {
    'folder.complete': ({ typed, files }) => completeFolder(typed, files),
    'folder.list': ({ owner }) => ({
      folders: lookedAt(chosenFolders(store, owner)),
      told: owner.kind === 'server' ? store.rules.sharedFolders(owner.name) : [],
    }),
    'folder.set'({ owner, paths }) {
      if (owner.kind === 'conversation') knownConversation(context, owner.id)
      if (owner.kind === 'chatFolder') context.history.folder(owner.id)
      const before = chosenFolders(store, owner)
      const roots = checkedFolders(paths, before)
      if (isDeepStrictEqual(roots, before)) return
      // Audited first: with more folders, servers may be told more.
      store.audit.append({
        kind: 'config',
        decision: 'folders',
        by: 'person',
        ...(owner.kind === 'server' ? { server: owner.name } : {}),
        ...(owner.kind === 'conversation' ? { conversationId: owner.id } : {}),
        detail: { roots, ...(owner.kind === 'chatFolder' ? { chatFolder: owner.id } : {}) },
      })
      setFolders(owner, roots)
      // Folders of a conversation or a chat folder are announced with the next call in it.
      if (owner.kind === 'everyone' || owner.kind === 'server')
        context.servers.rootsChanged(owner.kind === 'server' ? owner.name : undefined)
    },
    'folder.askAgain': ({ server }) => context.broker.forgetSharedFolders(server),
  }
}
