import { z } from 'zod'

const searchKind = z.enum(['title', 'you', 'answer', 'call'])

/** Scope. `messages`: text of both sides. `results`: tool calls with arguments and results. */
export const searchWhere = z.enum(['all', 'messages', 'results', 'titles'])
export type SearchWhere = z.infer<typeof searchWhere>

const spans = z.array(z.object({ text: z.string(), hit: z.boolean() }))

const searchHit = z.object({
  /** Position in the index: unique, increasing with time. */
  place: z.number().int(),
  kind: searchKind,
  conversationId: z.string(),
  /** Title of the conversation, with matches marked. */
  title: spans,
  messageId: z.string().optional(),
  callId: z.string().optional(),
  server: z.string().optional(),
  tool: z.string().optional(),
  /** Creation time of the message, or last change of the conversation. */
  at: z.number(),
  snippet: z.object({ form: z.enum(['prose', 'data']), spans, cut: z.object({ before: z.boolean(), after: z.boolean() }) }).optional(),
})
export type SearchHit = z.infer<typeof searchHit>

/** Counts by kind; `capped`: only the latest are counted. */
const searchCounts = z.object({
  all: z.number().int(),
  messages: z.number().int(),
  results: z.number().int(),
  titles: z.number().int(),
  capped: z.boolean(),
})
export type SearchCounts = z.infer<typeof searchCounts>

export const searchFound = z.object({
  /** Hits, latest first; at most `mostHitsAConversation` for each conversation, unless only one is searched. */
  hits: z.array(searchHit),
  more: z.record(z.string(), z.number().int()),
  /** Counts, with the first page only. */
  counts: searchCounts.optional(),
  /** Cursor of the next page; null: no more. */
  next: z.number().int().nullable(),
})
export type SearchFound = z.infer<typeof searchFound>

export const mostHitsAConversation = 3
export const searchCountLimit = 500
