// Changes to many conversations at once, each in one transaction, and their undo. The last few undos are kept in memory.
import type { ChatChange, ChatChoice } from '#app/chat/chat-filter.ts'
import { type ChatFolder, type ChatFolderDraft, mostChatFolders } from '#app/chat/chat-folder.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { defined } from '#app/or-else.ts'
import { newId } from '#main/base/ids.ts'
import type { ConversationPlacement, Store } from '#main/store/store-api.ts'
import type { ChatContext } from './chat-context.ts'

interface HistoryOptions extends Pick<ChatContext, 'emit' | 'clock'> {
  readonly store: Pick<Store, 'conversations' | 'history' | 'chatFolders' | 'audit' | 'transaction'>
  /** Ends the turn of a conversation that is deleted. */
  readonly stop: (conversationId: string) => void
}

/** Number of changed conversations above which pages reload their lists instead. */
const MOST_EVENTS = 100
const KEPT_UNDOS = 20

interface Undo {
  readonly before: ReadonlyMap<string, Partial<ConversationPlacement>>
  readonly folder?: ChatFolder
}

export type History = ReturnType<typeof createHistory>

export function createHistory(options: HistoryOptions) {
  const { store, emit, clock, stop } = options
  const { conversations, history, chatFolders } = store
  const { emitFolders, ...folders } = createFolders(options)
  const undos = new Map<string, Undo>()

  function remember(undo: Undo): string {
    const id = newId()
    undos.set(id, undo)
    for (const [oldest] of [...undos].slice(0, Math.max(0, undos.size - KEPT_UNDOS))) undos.delete(oldest)
    return id
  }
  function emitChanges(ids: readonly string[]): void {
    if (ids.length > MOST_EVENTS) {
      emit('history.changed', {})
      return
    }
    for (const id of ids) {
      const conversation = conversations.get(id)
      if (conversation) emit('conversation.changed', { conversation })
      else emit('conversation.removed', { id })
    }
  }
  function chosenIds(choice: ChatChoice): string[] {
    if (choice.kind === 'these') return [...new Set(choice.ids)]
    const except = new Set(choice.except)
    return history.ids(choice.filter).filter((id) => !except.has(id))
  }
  /** Replaces a folder that was deleted since by none. */
  const withKnownFolder = (placement: Partial<ConversationPlacement>): Partial<ConversationPlacement> =>
    typeof placement.folderId === 'string' && !chatFolders.get(placement.folderId) ? { folderId: null } : placement

  return {
    ...folders,
    change(choice: ChatChoice, change: ChatChange): { readonly changed: number; readonly undo: string | null } {
      if (change.kind === 'move' && change.folderId !== null) folders.folder(change.folderId)
      const after = placementAfter(change, clock.now())
      const [field] = Object.keys(after) as [keyof ConversationPlacement]
      const before = new Map<string, Partial<ConversationPlacement>>()
      for (const [id, placement] of history.standings(chosenIds(choice)))
        if (differs(placement, field, after[field])) before.set(id, { [field]: placement[field] })
      const ids = [...before.keys()]
      if (ids.length === 0) return { changed: 0, undo: null }
      if (change.kind === 'delete') for (const id of ids) stop(id)
      history.set(ids, after)
      emitChanges(ids)
      return { changed: ids.length, undo: remember({ before }) }
    },
    /** @throws {HostError} `chat.nothing-to-undo` when that undo is not kept any more */
    undo(id: string): void {
      const undo = undos.get(id)
      if (!undo) throw new HostError('chat.nothing-to-undo', t`This can no longer be undone.`)
      const alike = Map.groupBy(undo.before, ([, placement]) => JSON.stringify(placement))
      store.transaction(() => {
        if (undo.folder) chatFolders.put(undo.folder)
        for (const entries of alike.values())
          for (const [, placement] of entries.slice(0, 1))
            history.set(
              entries.map(([one]) => one),
              withKnownFolder(placement),
            )
      })
      undos.delete(id)
      if (undo.folder) emitFolders()
      emitChanges([...undo.before.keys()])
    },
    /** Deletes conversations for good; `undefined`: all that are in the bin. Returns how many. */
    purge(ids: readonly string[] | undefined): number {
      const purged = history.purge(ids ?? history.deletedIds())
      if (purged > 0) emit('history.changed', {})
      return purged
    },
    removeFolder(id: string): { readonly undo: string } {
      const removed = folders.folder(id)
      const ids = history.inFolder(id)
      store.transaction(() => {
        history.set(ids, { folderId: null })
        chatFolders.remove(id)
      })
      emitFolders()
      emitChanges(ids)
      return { undo: remember({ before: new Map(ids.map((one) => [one, { folderId: id }])), folder: removed }) }
    },
  }
}

function createFolders({ store, emit, clock }: HistoryOptions) {
  const { chatFolders } = store
  const emitFolders = (): void => emit('chatFolders.changed', { chatFolders: chatFolders.list() })
  /** @throws {HostError} `chat.unknown-folder` */
  function folder(id: string): ChatFolder {
    const found = chatFolders.get(id)
    if (!found) throw new HostError('chat.unknown-folder', t`This folder was deleted.`, { data: { folderId: id } })
    return found
  }
  function putFolder(changed: ChatFolder): void {
    chatFolders.put(changed)
    emitFolders()
  }
  return {
    emitFolders,
    folder,
    putFolder,
    /** Adds a folder, or changes the one with that id. Returns its id. */
    saveFolder(id: string | undefined, draft: ChatFolderDraft): string {
      const before = id === undefined ? undefined : folder(id)
      if (!before && chatFolders.list().length >= mostChatFolders)
        throw new HostError('contract.invalid', t`There can be ${mostChatFolders} of them. Delete one first.`)
      const { closed, roots } = before ?? {}
      const saved: ChatFolder = {
        ...draft,
        id: before?.id ?? newId(),
        createdAt: before?.createdAt ?? clock.now(),
        ...defined({ closed, roots }),
      }
      // Written to the audit log first: a folder may offer more tools, or ask less.
      const { systemPrompt: _, ...recorded } = draft
      const detail = JSON.parse(JSON.stringify({ ...recorded, id: saved.id }))
      store.audit.append({ kind: 'config', decision: 'chat-folder', by: 'person', detail })
      putFolder(saved)
      return saved.id
    },
  }
}

function placementAfter(change: ChatChange, now: number): Partial<ConversationPlacement> {
  if (change.kind === 'move') return { folderId: change.folderId }
  return {
    archive: { archivedAt: now },
    unarchive: { archivedAt: null },
    pin: { pinned: true as const },
    unpin: { pinned: null },
    delete: { deletedAt: now },
    restore: { deletedAt: null },
  }[change.kind]
}

/** Whether the change makes a difference. A deleted conversation can only be restored. */
function differs<Field extends keyof ConversationPlacement>(
  before: ConversationPlacement,
  field: Field,
  after: ConversationPlacement[Field] | undefined,
): boolean {
  if (field !== 'deletedAt' && before.deletedAt !== null) return false
  // What is archived or deleted already keeps its own time.
  return typeof after === 'number' ? before[field] === null : before[field] !== after
}
