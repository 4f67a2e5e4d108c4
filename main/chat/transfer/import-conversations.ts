// One file of conversations as it comes in, piece by piece: looked through first (`preview`: nothing is kept), then read
// again and kept. What is broken is named and passed over; what was imported before is not imported again.
import { setImmediate } from 'node:timers/promises'
import { mostChatFolders } from '#app/chat/chat-folder.ts'
import type { Conversation } from '#app/chat/conversation.ts'
import type { ImportSummary } from '#app/chat/import/imported-conversation.ts'
import { type ImportFault, type ImportSource, importFaultLabels } from '#app/chat/import/imported-conversation.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Log } from '#main/base/host-log.ts'
import { newId } from '#main/base/ids.ts'
import { type PlacedMessage, putWhole } from '#main/store/put-conversation.ts'
import type { Store } from '#main/store/store-api.ts'
import type { FileReader, ReadConversation, ReadItem } from './read-export-file.ts'
import { knownSources, sourceMark } from './store-imported.ts'

interface ImportOptions {
  readonly store: Store
  readonly mode: 'preview' | 'import'
  readonly reader: FileReader
  readonly log: Log
  readonly onKept: (conversation: Conversation) => void
  /** There is a new folder of chats. */
  readonly onFolder: () => void
}

export interface FileImport {
  /** Resolves when all of it is kept. One at a time. Rejects with `cancelled`. */
  push(bytes: Uint8Array): Promise<ImportSummary>
  /** Throws `import.unreadable` when there was no conversation in it. */
  end(): Promise<ImportSummary>
  /** Messages that are kept, of the conversation that is coming in too. */
  kept(): number
  /** A conversation of which not all is kept goes; those before it stay. */
  stop(): void
}

const MOST_FAULTS = 50
const LONGEST_NAME = 100

export function createFileImport(options: ImportOptions): FileImport {
  const { store, mode, reader, log, onKept } = options
  const tally = createTally(knownSources(store))
  /** Bytes that kept messages refer to and that have not come yet. */
  const missing = new Set<string>()
  const abort = new AbortController()
  let kept = 0

  async function keep({ conversation: read, leaf, messages, blobs, folder }: ReadConversation): Promise<void> {
    if (mode === 'preview') return
    const folderId = folder && folderFor(options, folder, read.createdAt)
    const conversation = folderId === undefined ? read : { ...read, folderId }
    for (const sha256 of blobs) missing.add(sha256)
    try {
      await putWhole(
        store,
        { conversation, leaf, messages: messagesOf(reader) },
        {
          signal: abort.signal,
          onPut: (put) => {
            kept += put
          },
        },
      )
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
        // Only what a message asked for, and only if it is what its name says.
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
      if (abort.signal.aborted) throw new HostError('cancelled', t`The import was stopped.`)
    }
    return tally.summary()
  }

  return {
    kept: () => kept,
    stop() {
      abort.abort()
      reader.close()
    },
    async push(bytes) {
      await reader.push(bytes)
      return read()
    },
    async end() {
      await reader.end()
      await read()
      tally.cut(await reader.isCut())
      if (tally.isEmpty()) throw new HostError('import.unreadable', t`There is no chat in this file that Assent can read.`)
      return tally.summary()
    },
  }
}

/** What of a file is new, known and broken, as it is told. */
interface Tally {
  /** Counts a conversation, unless it is there: then `false`. */
  isNew(read: Pick<ReadConversation, 'of' | 'source' | 'sourceId' | 'messages'>): boolean
  /** One that was counted as new could not be kept. `messages`: how many it has. */
  notKept(title: string, messages: number): void
  broken(name: string, fault: ImportFault): void
  cut(isCut: boolean): void
  isEmpty(): boolean
  summary(): ImportSummary
}

/** `known`: marks of the sources that are there; each new one is added. */
function createTally(known: Set<string>): Tally {
  const sources = new Set<ImportSource>()
  const summary = { conversations: 0, messages: 0, already: 0, broken: 0, cut: false }
  const faults: { name: string; reason: string }[] = []

  function broken(name: string, reason: ImportFault): void {
    summary.broken += 1
    if (faults.length < MOST_FAULTS) faults.push({ name: name.slice(0, LONGEST_NAME), reason: importFaultLabels()[reason] })
  }

  return {
    isNew({ of, source, sourceId, messages }) {
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
    notKept(title, messages) {
      summary.conversations -= 1
      summary.messages -= messages
      broken(title, 'not-kept')
    },
    broken,
    cut(isCut) {
      summary.cut = isCut
    },
    isEmpty: () => summary.conversations + summary.already + summary.broken === 0,
    summary: () => ({ ...summary, sources: [...sources], faults: [...faults] }),
  }
}

/** The folder of the same name, as it is here, or a new one; undefined: there are too many. */
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
