// Import of one file of conversations, piece by piece: a preview that stores nothing, then the import itself. Broken conversations are
// listed and skipped, and so are those that were imported before.
import { setImmediate } from 'node:timers/promises'
import { mostChatFolders } from '#app/chat/chat-folder.ts'
import type { Conversation } from '#app/chat/conversation.ts'
import { type ImportFault, type ImportSource, type ImportSummary, importFaultLabels } from '#app/chat/import/imported-conversation.ts'
import type { RequestInput } from '#app/contract/requests.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { newId } from '#main/base/ids.ts'
import type { ChatContext } from '#main/chat/chat-context.ts'
import { type PlacedMessage, putWhole } from '#main/store/put-conversation.ts'
import type { FileReader, ReadConversation, ReadItem } from './read-export-file.ts'
import { knownSources, sourceMark } from './store-imported.ts'

interface ImportOptions extends Pick<ChatContext, 'store' | 'log'>, RequestInput<'import.begin'> {
  readonly reader: FileReader
  readonly onKept: (conversation: Conversation) => void
  readonly onFolder: () => void
}

const MOST_FAULTS = 50
const LONGEST_NAME = 100

export type FileImport = ReturnType<typeof createFileImport>

export function createFileImport(options: ImportOptions) {
  const { store, mode, reader, log, onKept } = options
  const tally = createTally(knownSources(store))
  /** Hashes of blobs that stored messages refer to and that have not come yet. */
  const missing = new Set<string>()
  const abort = new AbortController()
  let kept = 0

  async function keep({ conversation: read, leaf, messages, blobs, folder }: ReadConversation): Promise<void> {
    if (mode === 'preview') return
    const folderId = folder && folderFor(options, folder, read.createdAt)
    const conversation = folderId === undefined ? read : { ...read, folderId }
    for (const sha256 of blobs) missing.add(sha256)
    const onPut = (count: number): void => {
      kept += count
    }
    try {
      await putWhole(store, { conversation, leaf, messages: messagesOf(reader) }, { signal: abort.signal, onPut })
      onKept(conversation)
    } catch (error) {
      // A full disk is no fault of the file: it ends the import.
      if (error instanceof HostError && error.code !== 'internal') throw error
      log.error('A conversation could not be imported', error)
      tally.notKept(conversation.title, messages)
    }
  }

  async function take(item: ReadItem): Promise<void> {
    switch (item.kind) {
      case 'broken':
        tally.broken(item.name, item.fault)
        return
      case 'blob':
        // Only blobs that a message refers to, and only if the bytes have that hash.
        if (missing.delete(item.sha256)) store.blobs.put(item.bytes, item.mimeType)
        return
      case 'conversation':
        if (tally.isNew(item)) await keep(item)
    }
  }

  async function read(): Promise<ImportSummary> {
    for (let item = await reader.next(); item !== undefined; item = await reader.next()) {
      await take(item)
      await setImmediate()
      if (abort.signal.aborted) throw new HostError('cancelled', t`It was cancelled.`)
    }
    return tally.summary()
  }

  return {
    /** Number of messages that are stored, with those of the conversation that is still coming in. */
    kept: (): number => kept,
    /** Stops the import: a conversation that is not whole yet is removed; those before it stay. */
    stop(): void {
      abort.abort()
      reader.close()
    },
    /** Resolves when all of the bytes are imported; one call at a time. @throws {HostError} `cancelled` */
    async push(bytes: Uint8Array): Promise<ImportSummary> {
      await reader.push(bytes)
      return read()
    },
    /** @throws {HostError} `import.unreadable` when the file has no conversation */
    async end(): Promise<ImportSummary> {
      await reader.end()
      await read()
      tally.cut(await reader.isCut())
      if (tally.isEmpty()) throw new HostError('import.unreadable', t`There is no chat in this file that Assent can read.`)
      return tally.summary()
    },
  }
}

/** Counts what is new, known and broken in a file. `known`: marks of stored conversations; each new one is added. */
function createTally(known: Set<string>) {
  const sources = new Set<ImportSource>()
  const summary = { conversations: 0, messages: 0, already: 0, broken: 0, cut: false }
  const faults: { name: string; reason: string }[] = []

  function broken(name: string, reason: ImportFault): void {
    summary.broken += 1
    if (faults.length < MOST_FAULTS) faults.push({ name: name.slice(0, LONGEST_NAME), reason: importFaultLabels()[reason] })
  }

  return {
    /** Counts a conversation. Returns `false` when it is stored already. */
    isNew({ of, source, sourceId, messages }: Pick<ReadConversation, 'of' | 'source' | 'sourceId' | 'messages'>): boolean {
      sources.add(of)
      const mark = sourceMark(source, sourceId)
      if (known.has(mark)) {
        summary.already += 1
        return false
      }
      known.add(mark)
      summary.conversations += 1
      summary.messages += messages
      return true
    },
    /** Counts as broken a conversation that was counted as new and could not be stored. */
    notKept(title: string, messages: number): void {
      summary.conversations -= 1
      summary.messages -= messages
      broken(title, 'not-kept')
    },
    broken,
    cut(isCut: boolean): void {
      summary.cut = isCut
    },
    isEmpty: (): boolean => summary.conversations + summary.already + summary.broken === 0,
    summary: (): ImportSummary => ({ ...summary, sources: [...sources], faults: [...faults] }),
  }
}

/** Returns the folder of the same name, or a new one; `undefined` when there are too many. */
function folderFor(
  { store, onFolder }: Pick<ImportOptions, 'store' | 'onFolder'>,
  { name, systemPrompt }: NonNullable<ReadConversation['folder']>,
  createdAt: number,
): string | undefined {
  const folders = store.chatFolders.list()
  const there = folders.find((folder) => folder.name === name)
  if (there || folders.length >= mostChatFolders) return there?.id
  const id = newId()
  store.chatFolders.put({ id, name, createdAt, ...(systemPrompt === undefined ? {} : { systemPrompt }) })
  onFolder()
  return id
}

async function* messagesOf(reader: FileReader): AsyncGenerator<readonly PlacedMessage[]> {
  for (let some = await reader.messages(); some !== undefined; some = await reader.messages()) yield some
}
