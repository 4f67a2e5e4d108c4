// Folders of chats, shared folders, and what the person keeps for their chats.

import { opendir, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Conversation } from '#app/chat/conversation.ts'
import { mostSaved } from '#app/chat/personal.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { defined } from '#app/or-else.ts'
import { type FolderOwner, mostCompletions } from '#app/shared-folders.ts'
import { newId } from '#main/base/ids.ts'
import { checkedFolders, chosenFolders, lookedAt } from '#main/chat/roots/shared-folders.ts'
import { requireModel } from '#main/models/default-model.ts'
import { type HandlersOf, type HostContext, knownConversation } from './request-handlers.ts'

// Completion of a typed path, for shells without a file picker. A folder that cannot be read gives none.

const mostEntries = 5000

/** Lists the folders that begin like the typed path; with `files` the files too. */
export async function completeFolder(typed: string, files = false): Promise<{ folders: string[]; more: boolean }> {
  const cut = Math.max(typed.lastIndexOf('/'), process.platform === 'win32' ? typed.lastIndexOf('\\') : -1) + 1
  const [lead, begun] = [typed.slice(0, cut), typed.slice(cut)]
  const folder = /^~[/\\]/.test(lead) ? join(homedir(), lead.slice(1)) : lead
  if (!isAbsolute(folder)) return { folders: [], more: false }
  const separator = lead.at(-1) ?? '/'
  const found: string[] = []
  let looked = 0
  try {
    for await (const entry of await opendir(folder)) {
      looked += 1
      if (looked > mostEntries) break
      if (!isWanted(entry.name, begun)) continue
      const isFolder = entry.isDirectory() || (entry.isSymbolicLink() && (await leadsToFolder(join(folder, entry.name))))
      if (isFolder) found.push(`${entry.name}${separator}`)
      else if (files && (entry.isFile() || entry.isSymbolicLink())) found.push(entry.name)
    }
  } catch {
    // The folder is gone, or may not be read.
  }
  found.sort((a, b) => a.localeCompare(b))
  return {
    folders: found.slice(0, mostCompletions).map((name) => `${lead}${name}`),
    more: looked > mostEntries || found.length > mostCompletions,
  }
}

/** Hidden entries need the typed dot; the case of letters does not matter. */
const isWanted = (name: string, begun: string): boolean =>
  name.toLowerCase().startsWith(begun.toLowerCase()) && (begun.startsWith('.') || !name.startsWith('.'))

const leadsToFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )

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
  'gate.list': () => ({ clients: gate.clients.list(), http: gate.http() }),
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
  /** Returns the id of the row to write. @throws {HostError} `contract.invalid` when there are too many, or it is gone */
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
