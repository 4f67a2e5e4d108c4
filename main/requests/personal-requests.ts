// Folders of chats, shared folders, and what the person keeps for their chats.
import { isDeepStrictEqual } from 'node:util'
import type { Conversation } from '#app/chat/conversation.ts'
import { mostSaved } from '#app/chat/personal.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { defined } from '#app/or-else.ts'
import type { FolderOwner } from '#app/shared-folders.ts'
import { newId } from '#main/base/ids.ts'
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

export const gateHandlers = ({ gate }: HostContext): HandlersOf<'gate'> => ({
  'gate.list': () => ({ clients: gate.clients.list() }),
  'gate.add': ({ draft }) => gate.clients.add(draft),
  'gate.change': ({ id, draft }) => ({ client: gate.clients.change(id, draft) }),
  'gate.renewToken': ({ id }) => ({ token: gate.clients.renewToken(id) }),
  'gate.remove': ({ id }) => gate.clients.remove(id),
})

export function personalHandlers({ store, emit, models, clock }: HostContext): HandlersOf<'personal'> {
  const { personal, audit } = store
  /** Puts back what was removed in this run. */
  const removed = new Map<string, () => void>()
  const changed = (): void => emit('personal.changed', personal.lists())
  /** Returns the id of the row to write. @throws HostError `contract.invalid` when there are too many, or it is gone */
  function idOf(kind: keyof typeof mostSaved, id: string | undefined): string {
    const rows = personal.list(kind)
    if (id === undefined && rows.length >= mostSaved[kind])
      throw new HostError('contract.invalid', t`There can be ${mostSaved[kind]} of them. Delete one first.`)
    if (id !== undefined && !rows.some((row) => row.id === id)) throw new HostError('contract.invalid', t`It was deleted meanwhile.`)
    return id ?? newId()
  }
  return {
    'personal.savePrompt'({ id, draft }) {
      const saved = { ...draft, id: idOf('prompt', id) }
      personal.put('prompt', saved)
      changed()
      return { id: saved.id }
    },
    'personal.saveAssistant'({ id, draft }) {
      const known = idOf('assistant', id)
      if (draft.model !== undefined && draft.model !== personal.list('assistant').find((row) => row.id === id)?.model)
        requireModel(models, draft.model)
      // Written to the audit log first: its chats may offer more tools, or ask less.
      const { instructions: _, ...recorded } = draft
      const detail = JSON.parse(JSON.stringify({ ...recorded, id: known }))
      audit.append({ kind: 'config', decision: 'assistant', by: 'person', detail })
      personal.put('assistant', { ...draft, id: known })
      changed()
      return { id: known }
    },
    'personal.saveFact'({ id, text }) {
      const known = idOf('fact', id)
      const before = personal.list('fact').find((row) => row.id === known)
      personal.put('fact', { at: clock.now(), ...before, id: known, text })
      changed()
      return { id: known }
    },
    'personal.remove'({ kind, id }) {
      const row = personal.list(kind).find((one) => one.id === id)
      if (!row) return
      removed.set(`${kind} ${id}`, () => personal.put(kind, row))
      personal.remove(kind, [id])
      changed()
    },
    'personal.restore'({ kind, id }) {
      const restore = removed.get(`${kind} ${id}`)
      if (!restore) throw new HostError('contract.invalid', t`It can no longer be restored.`)
      restore()
      removed.delete(`${kind} ${id}`)
      changed()
    },
  }
}

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
