// What is done to many conversations at once, and its undo. All of it or nothing: one transaction. What it was before is
// remembered for this run, the last few times; pages hear of each conversation, or, of very many, that they are to look anew.
import type { ChatChange, ChatChoice } from '#app/chat/chat-filter.ts'
import { type ChatFolder, type ChatFolderDraft, mostChatFolders } from '#app/chat/chat-folder.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Clock } from '#main/base/clock.ts'
import type { Emit } from '#main/base/events.ts'
import { newId } from '#main/base/ids.ts'
import type { ConversationPlacement, Store } from '#main/store/store-api.ts'

interface HistoryOptions {
  readonly store: Pick<Store, 'conversations' | 'history' | 'chatFolders' | 'audit' | 'transaction'>
  readonly emit: Emit
  readonly clock: Clock
  /** Ends the turn of a conversation that goes. */
  readonly stop: (conversationId: string) => void
}

export interface History {
  change(choice: ChatChoice, change: ChatChange): { readonly changed: number; readonly undo: string | null }
  /** Throws `chat.nothing-to-undo`. */
  undo(undo: string): void
  /** Undefined: all that are deleted. */
  purge(ids: readonly string[] | undefined): number
  folder(id: string): ChatFolder
  /** Returns its id. */
  saveFolder(id: string | undefined, draft: ChatFolderDraft): string
  putFolder(folder: ChatFolder): void
  removeFolder(id: string): { readonly undo: string }
}

/** Up to here each conversation is told of by itself. */
const MOST_TOLD = 100
const KEPT_UNDOS = 20

interface Undo {
  readonly before: ReadonlyMap<string, Partial<ConversationPlacement>>
  readonly folder?: ChatFolder
}

export function createHistory({ store, emit, clock, stop }: HistoryOptions): History {
  const { conversations, history, chatFolders } = store
  const undos = new Map<string, Undo>()

  function remember(undo: Undo): string {
    const id = newId()
    undos.set(id, undo)
    for (const [oldest] of [...undos].slice(0, Math.max(0, undos.size - KEPT_UNDOS))) undos.delete(oldest)
    return id
  }
  function tell(ids: readonly string[]): void {
    if (ids.length > MOST_TOLD) emit('history.changed', {})
    else for (const id of ids) tellOne(id)
  }
  function tellOne(id: string): void {
    const conversation = conversations.get(id)
    if (conversation) emit('conversation.changed', { conversation })
    else emit('conversation.removed', { id })
  }
  const folders = createFolders({ store, emit, clock })
  function chosen(choice: ChatChoice): string[] {
    if (choice.kind === 'these') return [...new Set(choice.ids)]
    const except = new Set(choice.except)
    return history.ids(choice.filter).filter((id) => !except.has(id))
  }
  /** A folder that was deleted since is not gone back to. */
  const stillThere = (standing: Partial<ConversationPlacement>): Partial<ConversationPlacement> =>
    typeof standing.folderId === 'string' && !chatFolders.get(standing.folderId) ? { folderId: null } : standing

  return {
    folder: folders.folder,
    change(choice, change) {
      if (change.kind === 'move' && change.folderId !== null) folders.folder(change.folderId)
      const after = standingAfter(change, clock.now())
      const [field] = Object.keys(after) as (keyof ConversationPlacement)[]
      if (field === undefined) return { changed: 0, undo: null }
      const before = new Map<string, Partial<ConversationPlacement>>()
      for (const [id, standing] of history.standings(chosen(choice)))
        if (isOther(standing, change, after[field])) before.set(id, { [field]: standing[field] })
      const ids = [...before.keys()]
      if (ids.length === 0) return { changed: 0, undo: null }
      if (change.kind === 'delete') for (const id of ids) stop(id)
      history.set(ids, after)
      tell(ids)
      return { changed: ids.length, undo: remember({ before }) }
    },
    undo(id) {
      const undo = undos.get(id)
      if (!undo) throw new HostError('chat.nothing-to-undo', t`This cannot be undone any more.`)
      const alike = Map.groupBy(undo.before, ([, standing]) => JSON.stringify(standing))
      store.transaction(() => {
        if (undo.folder) chatFolders.put(undo.folder)
        for (const entries of alike.values()) {
          const ids = entries.map(([one]) => one)
          for (const [, standing] of entries.slice(0, 1)) history.set(ids, stillThere(standing))
        }
      })
      undos.delete(id)
      if (undo.folder) folders.tell()
      tell([...undo.before.keys()])
    },
    purge(ids) {
      const purged = history.purge(ids ?? history.deletedIds())
      if (purged > 0) emit('history.changed', {})
      return purged
    },
    saveFolder: folders.save,
    putFolder: folders.put,
    removeFolder(id) {
      const removed = folders.folder(id)
      const ids = history.inFolder(id)
      store.transaction(() => {
        history.set(ids, { folderId: null })
        chatFolders.remove(id)
      })
      folders.tell()
      tell(ids)
      return { undo: remember({ before: new Map(ids.map((one) => [one, { folderId: id }])), folder: removed }) }
    },
  }
}

interface Folders {
  /** Throws `chat.unknown-folder`. */
  folder(id: string): ChatFolder
  /** Returns its id. */
  save(id: string | undefined, draft: ChatFolderDraft): string
  put(folder: ChatFolder): void
  tell(): void
}

/** The folders of chats by themselves: kept, put on record, told of. */
function createFolders({ store, emit, clock }: Pick<HistoryOptions, 'store' | 'emit' | 'clock'>): Folders {
  const { chatFolders } = store
  const tell = (): void => emit('chatFolders.changed', { chatFolders: chatFolders.list() })
  function folder(id: string): ChatFolder {
    const found = chatFolders.get(id)
    if (!found) throw new HostError('chat.unknown-folder', t`This folder is not there any more.`, { data: { folderId: id } })
    return found
  }
  return {
    folder,
    save(id, draft) {
      const before = id === undefined ? undefined : folder(id)
      if (!before && chatFolders.list().length >= mostChatFolders)
        throw new HostError('contract.invalid', t`There can be ${mostChatFolders} folders. Delete one first.`)
      const { closed, roots } = before ?? {}
      const saved: ChatFolder = {
        ...draft,
        id: before?.id ?? newId(),
        createdAt: before?.createdAt ?? clock.now(),
        ...(closed ? { closed } : {}),
        ...(roots ? { roots } : {}),
      }
      // On record first: it may offer more tools, or ask less.
      const { systemPrompt: _, ...recorded } = draft
      store.audit.append({
        kind: 'config',
        decision: 'chat-folder',
        by: 'person',
        detail: JSON.parse(JSON.stringify({ ...recorded, id: saved.id })),
      })
      chatFolders.put(saved)
      tell()
      return saved.id
    },
    put(changed) {
      chatFolders.put(changed)
      tell()
    },
    tell,
  }
}

function standingAfter(change: ChatChange, now: number): Partial<ConversationPlacement> {
  switch (change.kind) {
    case 'archive':
      return { archivedAt: now }
    case 'unarchive':
      return { archivedAt: null }
    case 'pin':
      return { pinned: true }
    case 'unpin':
      return { pinned: null }
    case 'move':
      return { folderId: change.folderId }
    case 'delete':
      return { deletedAt: now }
    case 'restore':
      return { deletedAt: null }
  }
}

/** Whether the change would make a difference. Archived and deleted ones are so since their own time. */
function isOther(
  standing: ConversationPlacement,
  { kind }: ChatChange,
  after: ConversationPlacement[keyof ConversationPlacement] | undefined,
): boolean {
  switch (kind) {
    case 'archive':
      return standing.archivedAt === null && standing.deletedAt === null
    case 'unarchive':
      return standing.archivedAt !== null && standing.deletedAt === null
    case 'pin':
    case 'unpin':
      return standing.pinned !== after && standing.deletedAt === null
    case 'move':
      return standing.folderId !== after && standing.deletedAt === null
    case 'delete':
      return standing.deletedAt === null
    case 'restore':
      return standing.deletedAt !== null
  }
}
