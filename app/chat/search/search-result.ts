// What a search gives back.
import { z } from 'zod'

const searchKind = z.enum(['title', 'you', 'answer', 'call'])

/** What to look through. `messages`: what was said on both sides. `results`: tool calls, with arguments and results. */
export const searchWhere = z.enum(['all', 'messages', 'results', 'titles'])
export type SearchWhere = z.infer<typeof searchWhere>

const spans = z.array(z.object({ text: z.string(), hit: z.boolean() }))

const searchHit = z.object({
  /** Of its place in the index: unique, the later the larger. */
  place: z.number().int(),
  kind: searchKind,
  conversationId: z.string(),
  /** Of the conversation, with the words marked. */
  title: spans,
  /** Absent for a title. */
  messageId: z.string().optional(),
  callId: z.string().optional(),
  server: z.string().optional(),
  tool: z.string().optional(),
  /** When the message was made, or the conversation last changed. */
  at: z.number(),
  snippet: z.object({ form: z.enum(['prose', 'data']), spans, cut: z.object({ before: z.boolean(), after: z.boolean() }) }).optional(),
})
export type SearchHit = z.infer<typeof searchHit>

/** How many of each kind; `capped`: these are only the latest, there are more. */
const searchCounts = z.object({
  all: z.number().int(),
  messages: z.number().int(),
  results: z.number().int(),
  titles: z.number().int(),
  capped: z.boolean(),
})
export type SearchCounts = z.infer<typeof searchCounts>

export const searchFound = z.object({
  /** The latest first; of one conversation at most `mostHitsAConversation`, unless only that one is looked through. */
  hits: z.array(searchHit),
  /** How many more there are of a conversation among those looked at, by its id. */
  more: z.record(z.string(), z.number().int()),
  /** With the first page only. */
  counts: searchCounts.optional(),
  /** Of the next page; null: that was all. */
  next: z.number().int().nullable(),
  /** Share of an older profile's messages that can be found already. */
  indexed: z.number(),
})
export type SearchFound = z.infer<typeof searchFound>

export const mostHitsAConversation = 3
/** Further ones are not counted. */
export const searchCountLimit = 500
