// Reads one element of an export file: Assent's own, Claude's or ChatGPT's.
import { isJsonObject } from '#app/json.ts'
import { parseJson } from '#app/or-else.ts'
import { type ExportedBlob, type ExportedConversation, exportedBlob, exportedConversation } from '../export-format.ts'
import { fromChatGpt, isChatGpt } from './from-chatgpt.ts'
import { fromClaude, isClaude } from './from-claude.ts'
import type { ImportedConversation, ImportFault } from './imported-conversation.ts'

type ImportItem =
  | { readonly kind: 'foreign'; readonly conversation: ImportedConversation }
  | { readonly kind: 'own'; readonly exported: ExportedConversation }
  | { readonly kind: 'blob'; readonly blob: ExportedBlob['blob'] }
  /** `name`: identifies it to a person. */
  | { readonly kind: 'broken'; readonly fault: ImportFault; readonly name: string }

export function readItem(text: string): ImportItem {
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
export function nameIn(text: string): string {
  const title = /"(?:title|name)"\s*:\s*"((?:[^"\\]|\\.){1,200})"/.exec(text.slice(0, 5000))?.[1]
  return (title ?? text.slice(0, 60)).replace(/\s+/g, ' ').trim()
}
