// A file that is imported into a profile as the host does it, but for the thread.
import type { Conversation } from '#app/chat/conversation.ts'
import type { ImportSummary } from '#app/chat/import/imported-conversation.ts'
import type { Message, ToolCallState } from '#app/chat/message.ts'
import { silentLog } from '#main/base/host-log.ts'
import type { Store } from '#main/store/store-api.ts'
import { createFileImport } from './import-conversations.ts'
import { createFileReader } from './read-export-file.ts'

export async function importFile(
  store: Store,
  file: string | Uint8Array,
  { mode = 'import' as 'preview' | 'import', piece = 1000 } = {},
): Promise<ImportSummary> {
  const bytes = typeof file === 'string' ? new TextEncoder().encode(file) : file
  const reading = createFileImport({
    store,
    mode,
    reader: createFileReader({ now: 7, model: 'practice/practice' }),
    log: silentLog,
    onKept: () => {},
    onFolder: () => {},
  })
  for (let at = 0; at < bytes.length; at += piece) await reading.push(bytes.subarray(at, at + piece))
  return reading.end()
}
export const only = (store: Store): Conversation => {
  const [conversation] = store.conversations.list()
  if (!conversation) throw new Error('nothing was imported')
  return conversation
}
export const messageTextOf = (message: Message): string =>
  message.role === 'assistant'
    ? message.parts
        .map((part) => {
          if (part.kind === 'image') return `image: ${part.blob.mimeType}`
          return part.kind === 'tool-call' ? `${part.call.tool}: ${ended(part.call.state)}` : `${part.kind}: ${part.text}`
        })
        .join(' | ')
    : message.text
/** What it gave back in words, or else how it stands. */
const ended = (state: ToolCallState): string => {
  const texts = state.kind === 'done' ? state.result.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])) : []
  return texts.join() || state.kind
}
