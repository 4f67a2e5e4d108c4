// The store's seams, a small interface a concern. SQL stays behind `main/store`; calls are synchronous and durable
// (`synchronous=FULL`) when they return. A full disk or a read-only folder throws `disk.full` / `profile.unwritable`.

import type { BlobRef } from '#app/blob.ts'
import type { ChatFilter } from '#app/chat/chat-filter.ts'
import type { ChatFolder } from '#app/chat/chat-folder.ts'
import { type Conversation, conversation, type ListPosition, type SectionName } from '#app/chat/conversation.ts'
import type { DraftExtras } from '#app/chat/drafts.ts'
import { type Message, message } from '#app/chat/message.ts'
import type { MessageTree } from '#app/chat/message-tree.ts'
import type { SearchFound } from '#app/chat/search/search-result.ts'
import type { ManualRun } from '#app/chat/tools/manual-run.ts'
import type { AuditFault, AuditFilter, AuditRow } from '#app/consent/audit-row.ts'
import type { LaunchDigest } from '#app/consent/launch-digest.ts'
import type { LaunchTarget } from '#app/consent/request.ts'
import type { Rule, RuleUsage } from '#app/consent/rules/rule.ts'
import type { SamplingBudget } from '#app/consent/rules/sampling-budget.ts'
import type { ApprovedDefinition } from '#app/consent/tool-definition.ts'
import type { Json } from '#app/json.ts'
import type { Usage, UsagePurpose, UsageRow, UsageTotal } from '#app/models/usage.ts'
import type { Catalogue, ResourceEntry } from '#app/server/catalogue.ts'
import type { LogLevel, Session } from '#app/server/server-state.ts'
import type { Settings } from '#app/settings.ts'
import type { SharedFolders } from '#app/shared-folders.ts'
import type { Log } from '#main/base/host-log.ts'
import type { BackupStore } from './backup/backup.ts'
import type { Database } from './database/database.ts'
import type { IncrementalVacuum } from './database/incremental-vacuum.ts'
import { parseText } from './rows.ts'
import type { SearchParams } from './search/find-messages.ts'
import { createSearchIndex, type SearchIndex } from './search/search-index.ts'
import { createSearchThread } from './search/search-thread.ts'

// Search as the store's part: the index kept in step with what is put, built up for an older profile, and asked in a thread.
// Brings the messages of an older profile into the index, in steps that the caller spaces out: each is one transaction that
// says how far it came, so that a crash repeats nothing and leaves nothing out.

interface SearchBuild {
  /** How much of it can be found, 0 to 1. */
  share(): number
  /** False: all is done. `budgetMs`: it ends soon after that. */
  step(budgetMs: number): boolean
}

function createSearchBuild(database: Database, index: SearchIndex, log: Log): SearchBuild {
  const state = () => database.get('SELECT title, message, last FROM search_build')
  let done = state() === undefined

  function titles(after: string, until: number): void {
    let last = after
    do {
      const rows = database.all('SELECT id, body FROM conversations WHERE id > ? ORDER BY id LIMIT 20', last)
      for (const row of rows) {
        const value: Conversation | undefined = parseText(conversation, row['body'], `conversation ${String(row['id'])}`, log)
        if (value) index.title(value, value.updatedAt)
        last = String(row['id'])
      }
      if (rows.length === 0) {
        database.run('UPDATE search_build SET title = NULL')
        return
      }
    } while (performance.now() < until)
    database.run('UPDATE search_build SET title = ?', last)
  }

  function messages(after: number, end: number, until: number): void {
    let last = after
    do {
      const row = database.get('SELECT place, id, body FROM messages WHERE place > ? AND place <= ? ORDER BY place LIMIT 1', last, end)
      if (!row) {
        database.run('DELETE FROM search_build')
        done = true
        return
      }
      const value: Message | undefined = parseText(message, row['body'], `message ${String(row['id'])}`, log)
      if (value) index.message(value)
      last = Number(row['place'])
    } while (performance.now() < until)
    database.run('UPDATE search_build SET message = ?', last)
  }

  return {
    share() {
      if (done) return 1
      const { message: at, last } = state() ?? {}
      return Number(last) > 0 ? Number(at) / Number(last) : 1
    },
    step(budgetMs) {
      const row = done ? undefined : state()
      if (!row) return false
      const until = performance.now() + budgetMs
      database.transaction(() => {
        if (row['title'] !== null) titles(String(row['title']), until)
        else messages(Number(row['message']), Number(row['last']), until)
      })
      return !done
    },
  }
}

interface SearchStore {
  /**
   * Never fails for what was typed. A searcher that asks again before the answer is there gets `cancelled` for the first
   * question: only the latest counts.
   */
  find(searcher: string, params: SearchParams): Promise<SearchFound>
  /** Of an older profile's messages, which are indexed step by step after the start. */
  readonly build: SearchBuild
}

export function createSearchStore(database: Database, log: Log): { store: SearchStore; index: SearchIndex; close(): void } {
  const index = createSearchIndex(database)
  const thread = createSearchThread(database.path)
  const build = createSearchBuild(database, index, log)
  return {
    index,
    store: { find: async (searcher, params) => ({ ...(await thread.find(searcher, params)), indexed: build.share() }), build },
    close: () => thread.close(),
  }
}

export interface ConversationStore {
  /** Not deleted ones, the latest changed first. */
  list(): Conversation[]
  get(id: string): Conversation | undefined
  /** Inserts or replaces. */
  put(conversation: Conversation): void
  /** The path that is shown, from its first message to its last: what the model reads too. `tree`: what was just read of it. */
  messages(conversationId: string, tree?: MessageTree): Message[]
  /** These, in this order. */
  messagesOf(ids: readonly string[]): Message[]
  /**
   * Replaces one, which keeps its place; a new one becomes the child of the path's last message, and the path ends with it.
   * Its conversation has to be there: put that first.
   */
  putMessage(message: Message): void
  /** All of its messages, on the path or not, deleted or not; without what they say. */
  tree(conversationId: string): MessageTree
  /** Lets the path end at that message; null: before the first one. */
  setLeaf(conversationId: string, leaf: string | null): void
  /** Hidden until restored; kept for 30 days. Where the path ends stays. */
  deleteMessages(ids: readonly string[]): void
  restoreMessages(ids: readonly string[]): void
  /** Of that conversation: those that were deleted last, together; none that was taken back before the model read it. */
  lastDeleted(conversationId: string): string[]
  message(id: string): Message | undefined
  /** Everything that a crash cut off: messages still `streaming`, conversations still working or waiting. */
  unfinished(): { conversations: Conversation[]; messages: Message[] }
  /** `key`: whose it is (`app/chat/drafts.ts`). */
  draft(key: string): string
  setDraft(key: string, text: string): void
  /** By whose they are. */
  drafts(): Record<string, string>
  /** What else stands in composers, by conversation. */
  draftExtras(): Record<string, DraftExtras>
  setDraftExtras(conversationId: string, extras: DraftExtras): void
}

/** What `HistoryStore.set` can change; null: not at all. */
export interface ConversationPlacement {
  readonly folderId: string | null
  readonly pinned: true | null
  readonly archivedAt: number | null
  readonly deletedAt: number | null
}

/** Many conversations at a time: the lists they are shown in, and what is done to all of them at once. */
export interface HistoryStore {
  /** Newest first; `after`: behind that place. */
  shelf(shelf: SectionName, page: { readonly after?: ListPosition | undefined; readonly limit: number }): Conversation[]
  find(filter: ChatFilter, page: { readonly after?: ListPosition | undefined; readonly limit: number }): Conversation[]
  count(filter: ChatFilter): number
  ids(filter: ChatFilter): string[]
  /** Deleted and archived ones too. */
  inFolder(folderId: string): string[]
  /** Of those that are there, deleted ones too. */
  standings(ids: readonly string[]): Map<string, ConversationPlacement>
  set(ids: readonly string[], change: Partial<ConversationPlacement>): void
  /** Deleted ones, the latest first. */
  deleted(page: {
    readonly after?: { readonly deletedAt: number; readonly id: string } | undefined
    readonly limit: number
  }): { readonly conversation: Conversation; readonly deletedAt: number }[]
  deletedIds(): string[]
  /** For good, with all that is theirs; only deleted ones. Returns how many went. */
  purge(ids: readonly string[]): number
}

export interface ChatFolderStore {
  list(): ChatFolder[]
  get(id: string): ChatFolder | undefined
  put(folder: ChatFolder): void
  remove(id: string): void
  /** A server has another name now. */
  renameServer(from: string, to: string): void
}

export interface BlobStore {
  put(bytes: Uint8Array, mimeType: string): BlobRef
  get(sha256: string): { readonly bytes: Uint8Array; readonly mimeType: string } | undefined
}

/** Bytes that a composer holds. What is not sent, and in no draft any more, goes with the next start. */
export interface OrphanBlobs {
  put(bytes: Uint8Array, mimeType: string): BlobRef
  /** A message shows them: they stay. */
  sent(names: readonly string[]): void
}

export interface StoredLaunch {
  readonly fingerprint: string
  readonly target: LaunchTarget
  /** Of the values that it was approved with, one a key; none: approved before values were bound, or without a key. */
  readonly digests: readonly LaunchDigest[]
}

export interface RuleStore {
  list(): Rule[]
  /** How often each answered, by id, as the record says; also of rules that are gone. None: never. */
  usages(): Record<string, RuleUsage>
  put(rule: Rule): void
  remove(id: string): Rule | undefined
  /** Launches that were approved for good, by server name. */
  launch(server: string): StoredLaunch | undefined
  putLaunch(server: string, launch: StoredLaunch): void
  /** A tool as it was last accepted; undefined: never, or too long ago, or it was too long to keep. */
  definition(server: string, tool: string): ApprovedDefinition | undefined
  putDefinition(server: string, approved: ApprovedDefinition): void
  /** Of all that is kept of a server's tools as they were accepted, by tool. */
  fingerprints(server: string): ReadonlyMap<string, string>
  /** Views that reach beyond this machine, agreed to for good: a resource of the server, as it was then. */
  hasMcpApp(server: string, uri: string, fingerprint: string): boolean
  putMcpApp(server: string, uri: string, fingerprint: string): void
  /** True: there was one. */
  forgetMcpApp(server: string, uri: string): boolean
  /** Folders that a server may be told of unasked. */
  sharedFolders(server: string): SharedFolders[]
  /** Beside those of before. */
  addSharedFolders(server: string, told: SharedFolders): void
  /** True: there were some. */
  forgetSharedFolders(server: string): boolean
}

/** Tools that the person ran by hand, newest first; the oldest go when there are too many. */
export interface ManualRunStore {
  /** Inserts or replaces. */
  put(run: ManualRun): void
  get(id: string): ManualRun | undefined
  /** Without the results that they came to. `before`: behind that one. */
  list(of: {
    readonly server?: string | undefined
    readonly tool?: string | undefined
    readonly before?: { readonly at: number; readonly id: string } | undefined
    readonly limit: number
  }): ManualRun[]
  /** That a crash, or the end of Assent, cut off. */
  unfinished(): ManualRun[]
  /** All, or those of one tool, with what nothing else shows; none of `except`. Returns how many went. */
  forget(of: { readonly server: string; readonly tool: string } | undefined, except: readonly string[]): number
}

export interface SamplingStore {
  /** The person's choice, or the default. */
  budget(server: string): SamplingBudget
  putBudget(server: string, budget: SamplingBudget): void
  /** `day`: of the calendar, as YYYY-MM-DD. */
  used(server: string, day: string): number
  /** `tokens`: may be less than nothing, to set right what was counted before. */
  addUse(server: string, day: string, tokens: number): void
}

/** What models were asked for, in tokens and dollars, by days of the calendar (YYYY-MM-DD, both ends included). */
export interface UsageStore {
  add(use: {
    readonly day: string
    readonly model: string
    readonly purpose: UsagePurpose
    readonly conversationId?: string | undefined
    readonly usage: Usage
    /** Undefined: not known. */
    readonly cost?: number | undefined
  }): void
  total(from: string, to: string): UsageTotal
  ofConversation(id: string): UsageTotal
  byDay(from: string, to: string): UsageRow[]
  byModel(from: string, to: string): UsageRow[]
  /** The dearest first. */
  byConversation(from: string, to: string): UsageRow[]
}

export type AuditEntry = Pick<AuditRow, 'kind'> &
  Partial<Pick<AuditRow, 'server' | 'tool' | 'decision' | 'by' | 'conversationId' | 'detail'>>

/** Where the chain of the record ends: its last row. */
export interface ChainEnd {
  readonly seq: number
  readonly hash: string
}

export interface AuditReader {
  /** Newest first. */
  list(options: { readonly before?: number; readonly limit: number; readonly filter?: AuditFilter }): AuditRow[]
  /** How many rows fit; of many only up to one more than `auditCountLimit`. */
  count(filter: AuditFilter): number
  /** Oldest first, one at a time. */
  all(filter?: AuditFilter): Iterable<AuditRow>
  row(seq: number): AuditRow | undefined
  head(): ChainEnd | undefined
  /**
   * The first row that does not fit its chain, or undefined when all do. `kept`: an earlier end of it that was written
   * down elsewhere and has to be in it still.
   */
  verify(kept?: ChainEnd): AuditFault | undefined
  /** The same in steps of some hundred rows, for who must not hold the loop. */
  check(kept?: ChainEnd): Generator<void, AuditFault | undefined>
}
export interface AuditStore extends AuditReader {
  append(entry: AuditEntry): AuditRow
}

/** What is remembered of a server between runs, so that its tools are there before it is. */
export interface ServerStore {
  /** Of a list of very many resources the beginning. */
  catalogue(server: string): Catalogue | undefined
  /** Resolves with all resources of that catalogue; undefined: it has them all. */
  restOfResources(server: string, catalogue: Catalogue): Promise<readonly ResourceEntry[]> | undefined
  /** Very many resources are written after it returned. The same list as before is not written again. */
  putCatalogue(server: string, catalogue: Catalogue): void
  session(server: string): Session | undefined
  putSession(server: string, session: Session | undefined): void
  /** Drops catalogue and session if they were told by what another launch started. `launch`: its fingerprint. */
  bindMemory(server: string, launch: string): void
  disabledTools(server: string): ReadonlySet<string>
  setToolEnabled(server: string, tool: string, enabled: boolean): void
  /** The person's choice; it stays when what is remembered is forgotten. */
  logLevel(server: string): LogLevel | undefined
  putLogLevel(server: string, level: LogLevel): void
  /** Servers that the person trusts, each with the launch that they trusted. */
  trusted(): ReadonlyMap<string, string>
  putTrust(server: string, launch: string | undefined): void
  /** Folders that the person chose for that server, by absolute path. */
  folders(server: string): string[]
  putFolders(server: string, paths: readonly string[]): void
  /** Approvals that stood under the new name end; refusals stay. */
  rename(from: string, to: string): void
  forget(server: string): void
}

export interface SettingsStore {
  get(): Settings
  set(patch: Partial<Settings>): Settings
  /** Small facts of the host itself (e.g. when a key was checked). */
  fact(name: string): Json | undefined
  setFact(name: string, value: Json): void
}

export interface Store {
  readonly conversations: ConversationStore
  readonly history: HistoryStore
  readonly chatFolders: ChatFolderStore
  readonly blobs: BlobStore
  readonly orphanBlobs: OrphanBlobs
  readonly rules: RuleStore
  readonly sampling: SamplingStore
  readonly manualRuns: ManualRunStore
  readonly audit: AuditStore
  readonly servers: ServerStore
  readonly settings: SettingsStore
  readonly usage: UsageStore
  readonly search: SearchStore
  readonly backup: BackupStore
  readonly vacuum: IncrementalVacuum
  /** Runs `work` in one transaction. */
  transaction<T>(work: () => T): T
  /** The first change of a run makes files, which the disk takes its time for: done while nobody waits for a change of theirs. */
  makeReady(): void
  close(): void
}
