// What went over the wire between the host and one server, while somebody wants to see it.
import { z } from 'zod'
import { serverName } from '../server/definition.ts'
import { inspecting, wireMessage } from '../server/wire-message.ts'

const nothing = z.object({})
const request = <P extends z.ZodType, R extends z.ZodType>(params: P, result: R) => ({ params, result })

export const inspectorRequests = {
  /** Absent: no more. What was recorded stays until it is cleared, or recorded anew from a next start. */
  'server.inspect': request(z.object({ name: serverName, mode: inspecting.optional() }), nothing),
  /** Those after `after`, the oldest first, some at a time. `first`: what is before it is here no more. `last`: the newest. */
  'server.messages': request(
    z.object({ name: serverName, after: z.number().int().min(0) }),
    z.object({ messages: z.array(wireMessage), first: z.number().int(), last: z.number().int() }),
  ),
  'server.clearMessages': request(z.object({ name: serverName }), nothing),
  /** Writes them as JSON Lines, in a folder that the person chooses. Null: nothing was chosen. */
  'server.saveMessages': request(z.object({ name: serverName }), z.object({ path: z.string().nullable() })),
} as const
