// Where in a document an answer says it has something from, as the provider told it. Only Anthropic's models do so far.
import { z } from 'zod'
import { jsonObject } from '../json.ts'

export const citation = z.object({
  /** What of the part's text rests on it, in UTF-16 units. */
  start: z.number().int(),
  end: z.number().int(),
  title: z.string().optional(),
  quote: z.string(),
  /** First and last, from 1. */
  pages: z.tuple([z.number().int(), z.number().int()]).optional(),
  /** The provider's own form of it, for the way back. */
  source: jsonObject,
})
export type Citation = z.infer<typeof citation>
