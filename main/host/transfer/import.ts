// One file of conversations as it comes in, piece by piece: looked through first (`preview`: nothing is kept), then read
// again and kept. What is broken is named and passed over; what was imported before is not imported again.
import { setImmediate } from 'node:timers/promises'
import type { Conversation } from '#app/chat/conversation.ts'
import { createElementReader, type Element } from '#app/chat/import/elements.ts'
import { faultWords, type ImportFault, type ImportSource } from '#app/chat/import/imported.ts'
import { nameIn, readItem } from '#app/chat/import/read.ts'
import type { ImportSummary } from '#app/chat/import/summary.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'
import type { Log } from '#main/base/log.ts'
import type { Store } from '#main/store/types.ts'
import { keepForeign, keepOwn, knownSources, sourceKey, sourceMark } from './keep.ts'
import { createUnpacker, type TextPiece } from './unpack.ts'

export interface ImportOptions {
  readonly store: Store
  readonly mode: 'preview' | 'import'
  readonly now: number
  /** Answers in conversations of others from now on. */
  readonly model: string
  readonly log: Log
  readonly onKept: (conversation: Conversation) => void
}

export interface FileImport {
  /** Resolves when all of it is kept. One at a time. */
  push(bytes: Uint8Array): Promise<ImportSummary>
  /** Throws `import.unreadable` when there was no conversation in it. */
  end(): Promise<ImportSummary>
}

const MOST_FAULTS = 50
const LONGEST_NAME = 100

export function createFileImport(options: ImportOptions): FileImport {
  const { store, mode, now, model, log, onKept } = options
  const unpacker = createUnpacker()
  let reader = createElementReader()
  let file = 0
  const known = knownSources(store)
  /** Bytes that kept messages refer to and that have not come yet. */
  const missing = new Set<string>()
  const sources = new Set<ImportSource>()
  const summary = { conversations: 0, messages: 0, already: 0, broken: 0, cut: false }
  const faults: { name: string; reason: string }[] = []

  function fault(name: string, reason: ImportFault): void {
    summary.broken += 1
    if (faults.length < MOST_FAULTS) faults.push({ name: name.slice(0, LONGEST_NAME), reason: faultWords[reason] })
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

  function keep(name: string, messages: number, work: () => Conversation): void {
    if (mode === 'preview') return
    try {
      onKept(work())
    } catch (error) {
      // A full disk is no fault of the file: it ends the import.
      if (error instanceof HostError && error.code !== 'internal') throw error
      log.error('A conversation could not be imported', error)
      summary.conversations -= 1
      summary.messages -= messages
      fault(name, 'not-kept')
    }
  }

  function take(element: Element): void {
    if (element.kind === 'refused') {
      fault(nameIn(element.beginning), element.reason)
      return
    }
    const item = readItem(element.text)
    switch (item.kind) {
      case 'broken':
        fault(item.name, item.fault)
        return
      case 'foreign': {
        const { conversation } = item
        const count = conversation.messages.length
        sources.add(conversation.source)
        if (isNew(conversation.source, sourceKey(conversation), count))
          keep(conversation.title, count, () => keepForeign(store, conversation, { now, model }))
        return
      }
      case 'own': {
        const { conversation, messages } = item.exported
        const { source, id } = conversation.importedFrom ?? { source: 'assent' as const, id: conversation.id }
        sources.add('assent')
        if (!isNew(source, id, messages.length)) return
        keep(conversation.title, messages.length, () => {
          for (const [, sha256] of element.text.matchAll(/"sha256":"([0-9a-f]{64})"/g)) if (sha256) missing.add(sha256)
          return keepOwn(store, item.exported, now)
        })
        return
      }
      case 'blob':
        // Only what a message asked for, and only if it is what its name says.
        if (missing.delete(item.blob.sha256)) store.blobs.put(Buffer.from(item.blob.base64, 'base64'), item.blob.mimeType)
    }
  }

  async function read(pieces: readonly TextPiece[]): Promise<ImportSummary> {
    for (const { file: of, text } of pieces) {
      if (of !== file) closeFile()
      file = of
      for (const element of reader.push(text)) {
        take(element)
        await setImmediate()
      }
    }
    return told()
  }
  function closeFile(): void {
    if (reader.end() === 'cut') summary.cut = true
    reader = createElementReader()
  }
  const told = (): ImportSummary => ({ ...summary, sources: [...sources], faults: [...faults] })

  return {
    push: (bytes) => read(unpacker.push(bytes)),
    async end() {
      await read(unpacker.end())
      closeFile()
      if (summary.conversations + summary.already + summary.broken === 0)
        throw new HostError('import.unreadable', t`There is no chat in this file that Assent can read.`)
      return told()
    },
  }
}
