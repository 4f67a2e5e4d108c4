// One file of conversations as it comes in, piece by piece: looked through first (`preview`: nothing is kept), then read
// again and kept. What is broken is named and passed over; what was imported before is not imported again.
import { setImmediate } from 'node:timers/promises'
import { mostChatFolders } from '#app/chat/chat-folder.ts'
import type { Conversation } from '#app/chat/conversation.ts'
import { faultWords, type ImportFault, type ImportSource } from '#app/chat/import/imported.ts'
import type { ImportSummary } from '#app/chat/import/summary.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'
import { newId } from '#main/base/ids.ts'
import type { Log } from '#main/base/log.ts'
import { type PlacedMessage, putWhole } from '#main/store/put-whole.ts'
import type { Store } from '#main/store/types.ts'
import { knownSources, sourceMark } from './keep.ts'
import type { FileReader, ReadConversation, ReadItem } from './read-file.ts'

export interface ImportOptions {
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
  const { store, mode, reader, log, onKept, onFolder } = options
  const known = knownSources(store)
  /** Bytes that kept messages refer to and that have not come yet. */
  const missing = new Set<string>()
  const sources = new Set<ImportSource>()
  const summary = { conversations: 0, messages: 0, already: 0, broken: 0, cut: false }
  const abort = new AbortController()
  let kept = 0
  const faults: { name: string; reason: string }[] = []

  function fault(name: string, reason: ImportFault): void {
    summary.broken += 1
    if (faults.length < MOST_FAULTS) faults.push({ name: name.slice(0, LONGEST_NAME), reason: faultWords()[reason] })
  }

  /** Counts it, unless it is there; then `false`. */
  function isNew(source: ImportSource, id: string, messages: number): boolean {
    const mark = sourceMark(source, id)
    if (known.has(mark)) {
      summary.already += 1
      return false
    }
    known.add(mark)
    summary.conversations += 1
    summary.messages += messages
    return true
  }

  /** That of the same name, as it is here, or a new one; undefined: there are too many. */
  function folderFor({ name, systemPrompt }: NonNullable<ReadConversation['folder']>, createdAt: number): string | undefined {
    const folders = store.chatFolders.list()
    const there = folders.find((folder) => folder.name === name)
    if (there || folders.length >= mostChatFolders) return there?.id
    const id = newId()
    store.chatFolders.put({ id, name, createdAt, ...(systemPrompt === undefined ? {} : { systemPrompt }) })
    onFolder()
    return id
  }

  async function keep({ conversation: read, leaf, messages, blobs, folder }: ReadConversation): Promise<void> {
    if (mode === 'preview') return
    const folderId = folder && folderFor(folder, read.createdAt)
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
      summary.conversations -= 1
      summary.messages -= messages
      fault(conversation.title, 'not-kept')
    }
  }

  async function take(item: ReadItem): Promise<void> {
    switch (item.kind) {
      case 'broken':
        fault(item.name, item.fault)
        return
      case 'blob':
        // Only what a message asked for, and only if it is what its name says.
        if (missing.delete(item.sha256)) store.blobs.put(item.bytes, item.mimeType)
        return
      case 'conversation':
        sources.add(item.of)
        if (isNew(item.source, item.sourceId, item.messages)) await keep(item)
    }
  }

  async function read(): Promise<ImportSummary> {
    for (let item = await reader.next(); item !== undefined; item = await reader.next()) {
      await take(item)
      await setImmediate()
      if (abort.signal.aborted) throw new HostError('cancelled', t`The import was stopped.`)
    }
    return told()
  }
  const told = (): ImportSummary => ({ ...summary, sources: [...sources], faults: [...faults] })

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
      summary.cut = await reader.isCut()
      if (summary.conversations + summary.already + summary.broken === 0)
        throw new HostError('import.unreadable', t`There is no chat in this file that Assent can read.`)
      return told()
    },
  }
}

async function* messagesOf(reader: FileReader): AsyncGenerator<readonly PlacedMessage[]> {
  for (let some = await reader.messages(); some !== undefined; some = await reader.messages()) yield some
}
