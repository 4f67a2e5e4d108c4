// What a page asks about tools: the lists, one of them whole, and running one by hand.
import { z } from 'zod'
import { handRun } from '../chat/hand-run.ts'
import { listedServer, sentTools } from '../chat/tool-overview.ts'
import { toolSwitches } from '../chat/tool-switches.ts'
import { approvedDefinition } from '../consent/tool-definition.ts'
import { toolEntry } from '../server/catalogue.ts'
import { serverName } from '../server/definition.ts'

const nothing = z.object({})
const request = <P extends z.ZodType, R extends z.ZodType>(params: P, result: R) => ({ params, result })
const id = z.string().min(1).max(100)
const name = z.string().min(1).max(1000)

export const toolRequests = {
  /** Of all servers, with what is off. */
  'tool.list': request(nothing, z.object({ servers: z.array(listedServer) })),
  /** Which of them go with a request; without a conversation: of a new chat, as it will begin. */
  'tool.sent': request(
    z.object({
      conversationId: id.optional(),
      begins: z.object({ model: z.string().max(300), folderId: id.optional(), tools: toolSwitches.optional() }).optional(),
    }),
    sentTools,
  ),
  /** All that the server says of it, and what the person accepted of it; null: nothing, or it is not kept any more. */
  'tool.get': request(z.object({ server: serverName, tool: name }), z.object({ tool: toolEntry, approved: approvedDefinition.nullable() })),
  /**
   * Runs it, by the person's own press: the press allows exactly these arguments, once. `fingerprint`: of the tool that they
   * saw; `tool.changed`: it is another by now. `handRun.changed` tells how it fares.
   */
  'tool.run': request(
    z.object({ server: serverName, tool: name, fingerprint: z.string().max(200), arguments: z.string().max(2_000_000) }),
    z.object({ run: handRun }),
  ),
  'tool.cancelRun': request(z.object({ id }), nothing),
  /** Gives a run that is overdue another period. Nothing when it is not. */
  'tool.waitForRun': request(z.object({ id }), nothing),
  /** Newest first, without their results (`tool.getRun`); `before`: `at` and id of the last that was given. */
  'tool.runs': request(
    z.object({
      server: serverName.optional(),
      tool: name.optional(),
      before: z.object({ at: z.number(), id }).optional(),
      limit: z.number().int().min(1).max(100),
    }),
    z.object({ runs: z.array(handRun), more: z.boolean() }),
  ),
  /** Null: it is not kept any more. */
  'tool.getRun': request(z.object({ id }), z.object({ run: handRun.nullable() })),
  /** Those of one tool, or all; none that is under way. Returns how many went. */
  'tool.forgetRuns': request(
    z.object({ of: z.object({ server: serverName, tool: name }).optional() }),
    z.object({ gone: z.number().int() }),
  ),
} as const
