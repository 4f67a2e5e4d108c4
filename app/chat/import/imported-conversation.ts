// Conversations of other apps, converted: messages without ids, parents before children. No tool call in them is ever run.
import { z } from 'zod'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import { defined } from '#app/or-else.ts'
import { importSource } from '../conversation.ts'
import type { AssistantPart, ToolCall } from '../message.ts'

export const importSummary = z.object({
  /** New conversations: found by a preview, else imported. */
  conversations: z.number().int(),
  messages: z.number().int(),
  /** Conversations imported before, or the profile's own. */
  already: z.number().int(),
  /** Skipped conversations; `faults` names the first of them. */
  broken: z.number().int(),
  faults: z.array(z.object({ name: z.string(), reason: z.string() })),
  sources: z.array(importSource),
  /** Whether the file ends within a conversation. */
  cut: z.boolean(),
})
export type ImportSummary = z.infer<typeof importSummary>

export type ImportSource = z.infer<typeof importSource>
export const sourceNames = (): Readonly<Record<ImportSource, string>> => ({ assent: 'Assent', claude: 'Claude', chatgpt: 'ChatGPT' })

interface Base {
  /** Index of the parent; null: it begins the conversation. */
  readonly parent: number | null
  readonly createdAt: number
}
export type ImportedMessage =
  | (Base & { readonly role: 'user'; readonly text: string })
  | (Base & { readonly role: 'assistant'; readonly model: string; readonly parts: readonly AssistantPart[] })

export interface ImportedConversation {
  readonly source: Exclude<ImportSource, 'assent'>
  readonly sourceId: string
  readonly title: string
  readonly createdAt: number
  readonly updatedAt: number
  readonly pinned: boolean
  readonly archived: boolean
  readonly messages: readonly ImportedMessage[]
  /** Index of the last message of the path. */
  readonly leaf: number | null
}

export type ImportFault = 'not-json' | 'not-a-conversation' | 'no-messages' | 'too-long' | 'too-deep' | 'not-kept'
export const importFaultLabels = (): Readonly<Record<ImportFault, string>> => ({
  'not-json': t`it is not a conversation`,
  'not-a-conversation': t`it is not a conversation`,
  'no-messages': t`it is not a conversation`,
  'too-long': t`too long`,
  'too-deep': t`too deeply nested`,
  'not-kept': t`it could not be saved`,
})

const LONGEST_TEXT = 2_000_000
const LONGEST_TITLE = 200
export const MOST_MESSAGES = 20_000

/** Returns a text, cut to the longest message; '' for anything else. */
export const cutText = (value: unknown): string => (typeof value === 'string' ? value.slice(0, LONGEST_TEXT).toWellFormed() : '')

/** Member of an object that is an object; {} for anything else. */
export function objectIn(value: JsonObject, name: string): JsonObject {
  const member = value[name]
  return isJsonObject(member) ? member : {}
}

export const objects = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? value.filter(isJsonObject) : [])

export function importedTitle(value: unknown, firstText: string): string {
  const title = cutText(value).replace(/\s+/g, ' ').trim()
  const other = firstText.replace(/\s+/g, ' ').trim()
  return (title || other || t`Untitled`).slice(0, LONGEST_TITLE).toWellFormed()
}

const LATEST = Date.UTC(2200, 0)
/** Converts ISO text or seconds since 1970 to milliseconds; undefined for anything else. */
export function timeOf(value: unknown): number | undefined {
  const ms = typeof value === 'string' ? Date.parse(value) : typeof value === 'number' ? value * 1000 : Number.NaN
  return ms > 0 && ms < LATEST ? Math.round(ms) : undefined
}

/** Markdown link, titled by the host name without a title; undefined: no web address. */
export function linkTo(address: unknown, title: string): string | undefined {
  const url = typeof address === 'string' ? URL.parse(address) : null
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  const words = (title.replace(/\s+/g, ' ').trim() || url.host).slice(0, LONGEST_TITLE).toWellFormed()
  return `[${words.replace(/[\\[\]*_`<>!]/g, '\\$&')}](${url.href.replaceAll('(', '%28').replaceAll(')', '%29')})`
}

/** Tool call made elsewhere. `result` undefined: its end was not recorded. */
export function foreignCall(call: {
  id: string
  tool: string
  input: ToolCall['arguments']
  at: number
  result?: { text: string; isError: boolean }
}): AssistantPart {
  const decision = { allowed: true, by: 'host', scope: 'once' } as const
  return {
    kind: 'tool-call',
    call: {
      id: call.id,
      providerId: call.id,
      // Uses the characters that every provider accepts.
      modelName: call.tool.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64) || 'tool',
      tool: call.tool,
      ...defined({ arguments: call.input }),
      state: call.result
        ? {
            kind: 'done',
            decision,
            startedAt: call.at,
            durationMs: 0,
            result: { content: [{ type: 'text', text: call.result.text }], isError: call.result.isError, bytes: call.result.text.length },
          }
        : { kind: 'cancelled', decision, startedAt: call.at },
    },
  }
}
