// What is in a file of conversations, one after the other, as the store keeps them: unpacked, taken apart, parsed, with ids of
// our own. It keeps nothing in the profile and knows nothing of it. A file is read at whoever's pace asks: no more than one
// conversation of it is parsed at a time. The host has it in a thread (`reader-thread.ts`): one conversation may be
// 64 million characters long.
import type { Conversation } from '#app/chat/conversation.ts'
import type { ExportedConversation } from '#app/chat/export-format.ts'
import type { ImportFault, ImportSource } from '#app/chat/import/imported-conversation.ts'
import { createElementReader, type Element } from '#app/chat/import/json-elements.ts'
import { nameIn, readItem } from '#app/chat/import/read-export-item.ts'
import type { PlacedMessage } from '#main/store/put-conversation.ts'
import { foreignConversation, ownConversation, type ReadWhole, sourceKey } from './store-imported.ts'
import { createUnpacker, type TextPiece } from './unzip-export.ts'

export type ReadItem =
  | { readonly kind: 'broken'; readonly name: string; readonly fault: ImportFault }
  | { readonly kind: 'blob'; readonly sha256: string; readonly mimeType: string; readonly bytes: Uint8Array }
  | ReadConversation

export interface ReadConversation {
  readonly kind: 'conversation'
  readonly source: ImportSource
  /** What it was called where it comes from. */
  readonly sourceId: string
  /** Of the file that it stands in: of our own, one that was imported before may come from elsewhere. */
  readonly of: ImportSource
  readonly conversation: Conversation
  readonly leaf: string | null
  readonly messages: number
  /** The folder of chats that it lay in. */
  readonly folder?: ExportedConversation['folder']
  /** Bytes that its messages refer to. */
  readonly blobs: readonly string[]
}

export interface FileReader {
  /** Rejects with `import.too-large` and `import.unreadable`. */
  push(bytes: Uint8Array): Promise<void>
  end(): Promise<void>
  /** Undefined: more has to be pushed first. */
  next(): Promise<ReadItem | undefined>
  /** The next of the conversation's that came last; undefined: that were all. */
  messages(): Promise<readonly PlacedMessage[] | undefined>
  /** Once it has ended: whether a list in it broke off. */
  isCut(): Promise<boolean>
  close(): void
}

export interface ReadOptions {
  readonly now: number
  /** Answers in conversations of others from now on. */
  readonly model: string
}

/** Messages of one answer: as much as is copied between threads in a moment. */
const SLICE = 100

export function createFileReader({ now, model }: ReadOptions): FileReader {
  const unpacker = createUnpacker()
  let reader = createElementReader()
  let file = 0
  let cut = false
  const elements: Element[] = []
  let pieces: TextPiece[] = []
  let left: readonly PlacedMessage[] = []

  function closeFile(): void {
    if (reader.end() === 'cut') cut = true
    reader = createElementReader()
  }
  /** Piece by piece, so that not all that was unpacked is held twice. */
  function nextElement(): Element | undefined {
    while (elements.length === 0) {
      const piece = pieces.shift()
      if (!piece) return undefined
      if (piece.file !== file) closeFile()
      file = piece.file
      elements.push(...reader.push(piece.text))
    }
    return elements.shift()
  }

  function read(element: Element): ReadItem {
    if (element.kind === 'refused') return { kind: 'broken', name: nameIn(element.beginning), fault: element.reason }
    const item = readItem(element.text)
    switch (item.kind) {
      case 'broken':
        return item
      case 'blob':
        return { kind: 'blob', sha256: item.blob.sha256, mimeType: item.blob.mimeType, bytes: Buffer.from(item.blob.base64, 'base64') }
      case 'foreign': {
        const { source } = item.conversation
        return opened(foreignConversation(item.conversation, { now, model }), {
          source,
          sourceId: sourceKey(item.conversation),
          of: source,
        })
      }
      case 'own': {
        const { conversation } = item.exported
        const { source, id } = conversation.importedFrom ?? { source: 'assent' as const, id: conversation.id }
        const blobs = [...element.text.matchAll(/"sha256":"([0-9a-f]{64})"/g)].map(([, sha256]) => sha256 ?? '')
        const { folder } = item.exported
        return opened(ownConversation(item.exported, now), { source, sourceId: id, of: 'assent', blobs, ...(folder ? { folder } : {}) })
      }
    }
  }

  function opened(
    { conversation, leaf, messages }: ReadWhole,
    from: Pick<ReadConversation, 'source' | 'sourceId' | 'of' | 'folder'> & { readonly blobs?: readonly string[] },
  ): ReadConversation {
    left = messages
    return { kind: 'conversation', conversation, leaf, messages: messages.length, blobs: [], ...from }
  }

  return {
    async push(bytes) {
      pieces = [...pieces, ...unpacker.push(bytes)]
    },
    async end() {
      pieces = [...pieces, ...unpacker.end()]
    },
    async next() {
      left = []
      const element = nextElement()
      return element && read(element)
    },
    async messages() {
      if (left.length === 0) return undefined
      const slice = left.slice(0, SLICE)
      left = left.slice(SLICE)
      return slice
    },
    async isCut() {
      closeFile()
      return cut
    },
    close: () => undefined,
  }
}
