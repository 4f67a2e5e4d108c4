// Reader of a file of conversations: unpacks it and parses one conversation at a time, under new ids. It stores nothing. The host runs it
// in a thread (`reader-thread.ts`), since one conversation may have 64 million characters.
import { Unzip, UnzipInflate } from 'fflate'
import type { Conversation } from '#app/chat/conversation.ts'
import { type ExportedBlob, type ExportedConversation, exportedBlob, exportedConversation } from '#app/chat/export-format.ts'
import { fromChatGpt, isChatGpt } from '#app/chat/import/from-chatgpt.ts'
import { fromClaude, isClaude } from '#app/chat/import/from-claude.ts'
import type { ImportedConversation, ImportFault, ImportSource } from '#app/chat/import/imported-conversation.ts'
import { createElementReader, type Element } from '#app/chat/import/json-elements.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject } from '#app/json.ts'
import { parseJson } from '#app/or-else.ts'
import type { PlacedMessage } from '#main/store/put-conversation.ts'
import { foreignConversation, ownConversation, type ReadWhole, sourceKey } from './store-imported.ts'

export type ReadItem =
  | { readonly kind: 'broken'; readonly name: string; readonly fault: ImportFault }
  | { readonly kind: 'blob'; readonly sha256: string; readonly mimeType: string; readonly bytes: Uint8Array }
  | ReadConversation

export interface ReadConversation {
  readonly kind: 'conversation'
  readonly source: ImportSource
  readonly sourceId: string
  /** Application that wrote the file: a conversation in a file of Assent may come from another source. */
  readonly of: ImportSource
  readonly conversation: Conversation
  readonly leaf: string | null
  readonly messages: number
  readonly folder?: ExportedConversation['folder']
  readonly blobs: readonly string[]
}

export interface FileReader {
  /** @throws {HostError} `import.too-large` and `import.unreadable` */
  push(bytes: Uint8Array): Promise<void>
  end(): Promise<void>
  /** Resolves to `undefined` when more has to be pushed first. */
  next(): Promise<ReadItem | undefined>
  /** Resolves to the next messages of the last conversation; `undefined` after the last ones. */
  messages(): Promise<readonly PlacedMessage[] | undefined>
  /** Resolves after `end` to whether the file broke off within a list. */
  isCut(): Promise<boolean>
  close(): void
}

export interface ReadOptions {
  readonly now: number
  /** Model of conversations from other applications. */
  readonly model: string
}

/** Messages that are copied between threads at once. */
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
  /** Parses piece by piece, so that the unpacked text is not held twice. */
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

interface TextPiece {
  readonly file: number
  readonly text: string
}

/** File names of `conversations.json`, `conversations-000.json` and Assent's own export. */
const WANTED = /^(?:conversations(?:-\d+)?|assent[^/]*)\.json$/i
/** Unpacked bytes. */
const LARGEST = 4_000_000_000
/** Highest ratio of unpacked to packed bytes, beyond the first bytes. Texts rarely exceed 20; deflate reaches 1000. */
const MOST_FROM_ONE = 200
const FIRST_BYTES = 10_000_000
/** Packed bytes between two checks of the limits. */
const STEP = 8192

/**
 * Unpacks an export as it comes in: a plain file, or the conversations in a zip archive, whose other files are skipped. Names in an
 * archive are never used as paths. The methods throw `import.too-large` and `import.unreadable`.
 */
function createUnpacker() {
  let kind: 'zip' | 'text' | undefined
  let read = 0
  let made = 0
  let failed: unknown
  let pieces: TextPiece[] = []
  let files = 0
  let others = 0
  const plain = new TextDecoder()

  const unzip = new Unzip((file) => {
    const name = file.name.split(/[/\\]/).at(-1) ?? ''
    if (!WANTED.test(name)) {
      others += 1
      return
    }
    const decoder = new TextDecoder()
    files += 1
    const number = files
    file.ondata = (error, chunk, final) => {
      if (error) failed ??= error
      if (!chunk) return
      made += chunk.length
      pieces.push({ file: number, text: decoder.decode(chunk, { stream: !final }) })
    }
    file.start()
  })
  unzip.register(UnzipInflate)

  function unpack(bytes: Uint8Array, final: boolean): void {
    for (let at = 0; at < bytes.length || (final && at === 0); at += STEP) {
      const piece = bytes.subarray(at, at + STEP)
      unzip.push(piece, final && at + STEP >= bytes.length)
      if (made > LARGEST || made > FIRST_BYTES + read * MOST_FROM_ONE) throw new HostError('import.too-large', t`The file is too large.`)
      if (failed !== undefined) throw unreadable(failed)
    }
  }

  function take(): TextPiece[] {
    const taken = pieces
    pieces = []
    return taken
  }

  return {
    push(bytes: Uint8Array): TextPiece[] {
      kind ??= bytes[0] === 0x50 && bytes[1] === 0x4b ? 'zip' : 'text'
      read += bytes.length
      if (kind === 'text') return [{ file: 0, text: plain.decode(bytes, { stream: true }) }]
      try {
        unpack(bytes, false)
      } catch (error) {
        throw error instanceof HostError ? error : unreadable(error)
      }
      return take()
    },
    end(): TextPiece[] {
      if (kind === 'text') return [{ file: 0, text: plain.decode() }]
      if (kind === 'zip' && files === 0)
        throw others === 0
          ? unreadable(undefined)
          : new HostError('import.unreadable', t`There is no chat in this file that Assent can read.`)
      return take()
    },
  }
}

const unreadable = (cause: unknown): HostError => new HostError('import.unreadable', t`The file is damaged, or of another kind.`, { cause })

type ImportItem =
  | { readonly kind: 'foreign'; readonly conversation: ImportedConversation }
  | { readonly kind: 'own'; readonly exported: ExportedConversation }
  | { readonly kind: 'blob'; readonly blob: ExportedBlob['blob'] }
  /** `name`: identifies it to a person. */
  | { readonly kind: 'broken'; readonly fault: ImportFault; readonly name: string }

/** Reads one element of an export file: Assent's own, Claude's or ChatGPT's. */
function readItem(text: string): ImportItem {
  const broken = (fault: ImportFault): ImportItem => ({ kind: 'broken', fault, name: nameIn(text) })
  const value = parseJson(text)
  if (!isJsonObject(value)) return broken(value === undefined ? 'not-json' : 'not-a-conversation')
  if (isClaude(value) || isChatGpt(value)) {
    const conversation = isClaude(value) ? fromClaude(value) : fromChatGpt(value)
    return conversation ? { kind: 'foreign', conversation } : broken('no-messages')
  }
  const blob = exportedBlob.safeParse(value)
  if (blob.success) return { kind: 'blob', blob: blob.data.blob }
  const exported = exportedConversation.safeParse(value)
  return exported.success ? { kind: 'own', exported: exported.data } : broken('not-a-conversation')
}

/** Title in the text, else its first characters. */
function nameIn(text: string): string {
  const title = /"(?:title|name)"\s*:\s*"((?:[^"\\]|\\.){1,200})"/.exec(text.slice(0, 5000))?.[1]
  return (title ?? text.slice(0, 60)).replace(/\s+/g, ' ').trim()
}
