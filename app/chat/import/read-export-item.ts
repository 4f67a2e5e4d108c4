// One element of a file that somebody chose, whichever of the three it is.
import { isJsonObject } from '#app/json.ts'
import { type ExportedBlob, type ExportedConversation, exportedBlob, exportedConversation } from '../export-format.ts'
import { fromChatGpt, isChatGpt } from './from-chatgpt.ts'
import { fromClaude, isClaude } from './from-claude.ts'
import type { ImportedConversation, ImportFault } from './imported-conversation.ts'

type ImportItem =
  | { readonly kind: 'foreign'; readonly conversation: ImportedConversation }
  | { readonly kind: 'own'; readonly exported: ExportedConversation }
  | { readonly kind: 'blob'; readonly blob: ExportedBlob['blob'] }
  /** `name`: how a person may know which it is. */
  | { readonly kind: 'broken'; readonly fault: ImportFault; readonly name: string }

export function readItem(text: string): ImportItem {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { kind: 'broken', fault: 'not-json', name: nameIn(text) }
  }
  if (!isJsonObject(value)) return { kind: 'broken', fault: 'not-a-conversation', name: nameIn(text) }
  if (isClaude(value) || isChatGpt(value)) {
    const conversation = isClaude(value) ? fromClaude(value) : fromChatGpt(value)
    return conversation ? { kind: 'foreign', conversation } : { kind: 'broken', fault: 'no-messages', name: nameIn(text) }
  }
  const blob = exportedBlob.safeParse(value)
  if (blob.success) return { kind: 'blob', blob: blob.data.blob }
  const exported = exportedConversation.safeParse(value)
  return exported.success ? { kind: 'own', exported: exported.data } : { kind: 'broken', fault: 'not-a-conversation', name: nameIn(text) }
}

/** Its title where there is one, else its first characters. */
export function nameIn(text: string): string {
  const title = /"(?:title|name)"\s*:\s*"((?:[^"\\]|\\.){1,200})"/.exec(text.slice(0, 5000))?.[1]
  return (title ?? text.slice(0, 60)).replace(/\s+/g, ' ').trim()
}
