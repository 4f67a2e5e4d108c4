// Looking for servers in the registry that the settings name.
import { z } from 'zod'
import { registryCursor, registryPage } from '../server/registry/page.ts'

const request = <P extends z.ZodType, R extends z.ZodType>(params: P, result: R) => ({ params, result })
const searcher = z.string().min(1).max(100)

export const registryRequests = {
  /**
   * A page of what fits the text. A searcher (one field of one page) that asks again gets `cancelled` for what it asked
   * before. `again`: also when the answer that is kept is recent. `registry.*`: it cannot be had, and nothing is kept.
   */
  'registry.find': request(
    z.object({ searcher, text: z.string().max(200), cursor: registryCursor.optional(), again: z.boolean().optional() }),
    registryPage,
  ),
  /** All versions of one server, or that one alone (`latest` too). */
  'registry.server': request(
    z.object({ searcher, name: z.string().min(1).max(200), version: z.string().min(1).max(255).optional() }),
    registryPage,
  ),
  'registry.cancel': request(z.object({ searcher }), z.object({})),
} as const
