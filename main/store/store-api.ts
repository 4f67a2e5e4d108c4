// Interfaces of the store, one for each concern. Calls are synchronous and durable (`synchronous=FULL`) when they return. A full
// disk or a read-only folder throws `disk.full` or `profile.unwritable`.
import type { BlobRef } from '#app/blob.ts'
import type { ChatFilter } from '#app/chat/chat-filter.ts'
import type { ChatFolder } from '#app/chat/chat-folder.ts'
import type { Conversation, ListPosition, SectionName } from '#app/chat/conversation.ts'
import type { DraftExtras } from '#app/chat/drafts.ts'
import type { Message } from '#app/chat/message.ts'
import type { MessageTree } from '#app/chat/message-tree.ts'
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
import type { BackupStore } from './backup/backup.ts'
import type { IncrementalVacuum } from './database/incremental-vacuum.ts'
import type { SearchStore } from './search/search-store.ts'

export interface ConversationStore {
  /** Lists conversations that are not deleted, the latest changed first. */
  list(): Conversation[]
  get(id: string): Conversation | undefined
  /** Inserts or replaces. */
  put(conversation: Conversation): void
  /** Messages of the current path, which the model reads too. `tree`: its tree, when it was just read. */
  messages(conversationId: string, tree?: MessageTree): Message[]
  /** Messages by id, in this order. */
  messagesOf(ids: readonly string[]): Message[]
  /**
   * Replaces a message in its place, or adds it to the end of the path, as a child of its last message. Its conversation has to
   * exist.
   */
  putMessage(message: Message): void
  /** Tree of all messages, deleted ones too, without their content. */
  tree(conversationId: string): MessageTree
  /** Ends the path at a message; null: before the first one. */
  setLeaf(conversationId: string, leaf: string | null): void
  /** Hides messages until they are restored, or purged after 30 days. The end of the path stays. */
  deleteMessages(ids: readonly string[]): void
  restoreMessages(ids: readonly string[]): void
  /** Ids of the messages that were last deleted together, without withdrawn steering messages. */
  lastDeleted(conversationId: string): string[]
  message(id: string): Message | undefined
  /** Lists what a crash cut off: messages still `streaming`, conversations still working or waiting. */
  unfinished(): { conversations: Conversation[]; messages: Message[] }
  /** `key`: see `app/chat/drafts.ts`. */
  draft(key: string): string
  setDraft(key: string, text: string): void
  /** Drafts by key. */
  drafts(): Record<string, string>
  /** Attachments and the like in composers, by conversation. */
  draftExtras(): Record<string, DraftExtras>
  setDraftExtras(conversationId: string, extras: DraftExtras): void
}

/** Placement of a conversation in the lists; null: not set. */
export interface ConversationPlacement {
  readonly folderId: string | null
  readonly pinned: true | null
  readonly archivedAt: number | null
  readonly deletedAt: number | null
}

interface Page<Position> {
  /** Entries come after this one; default: from the first. */
  readonly after?: Position | undefined
  readonly limit: number
}

/** Lists of conversations, and changes to many at once. */
export interface HistoryStore {
  /** Lists a section of the sidebar, newest first. */
  shelf(shelf: SectionName, page: Page<ListPosition>): Conversation[]
  find(filter: ChatFilter, page: Page<ListPosition>): Conversation[]
  count(filter: ChatFilter): number
  ids(filter: ChatFilter): string[]
  /** Ids in a chat folder, deleted and archived conversations too. */
  inFolder(folderId: string): string[]
  /** Placements by id of those that exist, deleted ones too. */
  standings(ids: readonly string[]): Map<string, ConversationPlacement>
  set(ids: readonly string[], change: Partial<ConversationPlacement>): void
  /** Lists deleted conversations, the latest first. */
  deleted(
    page: Page<{ readonly deletedAt: number; readonly id: string }>,
  ): { readonly conversation: Conversation; readonly deletedAt: number }[]
  deletedIds(): string[]
  /** Removes deleted conversations for good, with all that belongs to them. Returns how many were removed. */
  purge(ids: readonly string[]): number
}

export interface ChatFolderStore {
  list(): ChatFolder[]
  get(id: string): ChatFolder | undefined
  put(folder: ChatFolder): void
  remove(id: string): void
  renameServer(from: string, to: string): void
}

export interface BlobStore {
  put(bytes: Uint8Array, mimeType: string): BlobRef
  get(sha256: string): { readonly bytes: Uint8Array; readonly mimeType: string } | undefined
}

/** Blobs in composers. Those that are neither sent nor in a draft are dropped at the next start. */
export interface OrphanBlobs extends Pick<BlobStore, 'put'> {
  /** Keeps blobs, since a message shows them. */
  sent(names: readonly string[]): void
}

export interface StoredLaunch {
  readonly fingerprint: string
  readonly target: LaunchTarget
  /** Digests of the approved values, one for each key; none: approved before values were bound, or without a key. */
  readonly digests: readonly LaunchDigest[]
}

export interface RuleStore {
  list(): Rule[]
  /** Use of each rule by id, as the audit log has it; also of removed rules. */
  usages(): Record<string, RuleUsage>
  put(rule: Rule): void
  remove(id: string): Rule | undefined
  /** Launch of a server that was approved for good. */
  launch(server: string): StoredLaunch | undefined
  putLaunch(server: string, launch: StoredLaunch): void
  /** Definition of a tool as last accepted; undefined: never, too long ago, or too long to keep. */
  definition(server: string, tool: string): ApprovedDefinition | undefined
  putDefinition(server: string, approved: ApprovedDefinition): void
  /** Fingerprints of a server's accepted definitions, by tool. */
  fingerprints(server: string): ReadonlyMap<string, string>
  /** Whether the person approved this version of an MCP App that connects beyond this machine. */
  hasMcpApp(server: string, uri: string, fingerprint: string): boolean
  putMcpApp(server: string, uri: string, fingerprint: string): void
  /** Returns whether there was one. */
  forgetMcpApp(server: string, uri: string): boolean
  /** Folders that a server may be told without asking. */
  sharedFolders(server: string): SharedFolders[]
  addSharedFolders(server: string, told: SharedFolders): void
  /** Returns whether there were any. */
  forgetSharedFolders(server: string): boolean
}

/** Manual tool runs, newest first; the oldest are dropped when there are too many. */
export interface ManualRunStore {
  /** Inserts or replaces. */
  put(run: ManualRun): void
  get(id: string): ManualRun | undefined
  /** Lists runs without their results. `before`: only older ones. */
  list(of: {
    readonly server?: string | undefined
    readonly tool?: string | undefined
    readonly before?: { readonly at: number; readonly id: string } | undefined
    readonly limit: number
  }): ManualRun[]
  /** Lists runs that a crash or the end of Assent cut off. */
  unfinished(): ManualRun[]
  /** Removes all runs, or those of one tool, but for `except`, with blobs that nothing else shows. Returns how many were removed. */
  forget(of: { readonly server: string; readonly tool: string } | undefined, except: readonly string[]): number
}

export interface SamplingStore {
  /** The person's choice, or the default. */
  budget(server: string): SamplingBudget
  putBudget(server: string, budget: SamplingBudget): void
  /** Tokens used on a day, YYYY-MM-DD. */
  used(server: string, day: string): number
  /** Adds tokens; a negative number corrects what was counted before. */
  addUse(server: string, day: string, tokens: number): void
}

/** Usage of models in tokens and dollars, by calendar day (YYYY-MM-DD, both ends included). */
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
  /** Rows by conversation, the most expensive first. */
  byConversation(from: string, to: string): UsageRow[]
}

export type AuditEntry = Pick<AuditRow, 'kind'> &
  Partial<Pick<AuditRow, 'server' | 'tool' | 'decision' | 'by' | 'conversationId' | 'detail'>>

/** Last row of the audit log's chain. */
export interface ChainEnd {
  readonly seq: number
  readonly hash: string
}

export interface AuditReader {
  /** Newest first. */
  list(options: { readonly before?: number; readonly limit: number; readonly filter?: AuditFilter }): AuditRow[]
  /** Counts rows, up to one more than `auditCountLimit`. */
  count(filter: AuditFilter): number
  /** Oldest first, one at a time. */
  all(filter?: AuditFilter): Iterable<AuditRow>
  row(seq: number): AuditRow | undefined
  head(): ChainEnd | undefined
  /** Returns the first row that breaks the chain. `kept`: an earlier end, stored elsewhere, that has to be in it still. */
  verify(kept?: ChainEnd): AuditFault | undefined
  /** Verifies in steps of some hundred rows, so that the caller can yield to the event loop. */
  check(kept?: ChainEnd): Generator<void, AuditFault | undefined>
}
export interface AuditStore extends AuditReader {
  append(entry: AuditEntry): AuditRow
}

/** Memory of servers between runs, so that their tools are known before they start, and the person's choices for them. */
export interface ServerStore {
  /** Remembered catalogue, with the first resources of a very long list. */
  catalogue(server: string): Catalogue | undefined
  /** Resolves with all resources of that catalogue; undefined: it has them all. */
  restOfResources(server: string, catalogue: Catalogue): Promise<readonly ResourceEntry[]> | undefined
  /** Stores a catalogue; very long lists are written after it returned. The same list is not written again. */
  putCatalogue(server: string, catalogue: Catalogue): void
  session(server: string): Session | undefined
  putSession(server: string, session: Session | undefined): void
  /** Drops catalogue and session if they came from another launch. `launch`: its fingerprint. */
  bindMemory(server: string, launch: string): void
  disabledTools(server: string): ReadonlySet<string>
  setToolEnabled(server: string, tool: string, enabled: boolean): void
  logLevel(server: string): LogLevel | undefined
  putLogLevel(server: string, level: LogLevel): void
  /** Launches that the person trusts, by server. */
  trusted(): ReadonlyMap<string, string>
  putTrust(server: string, launch: string | undefined): void
  /** Absolute paths of the folders that the person chose for a server. */
  folders(server: string): string[]
  putFolders(server: string, paths: readonly string[]): void
  /** Moves everything to a new name. Approvals under the new name end; refusals stay. */
  rename(from: string, to: string): void
  /** Drops catalogue, session and disabled tools. */
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
  /** Makes the files that the first change of a run needs, while nobody waits for a change. */
  makeReady(): void
  close(): void
}
