// What a page asks about tools: the lists, one of them whole, and running one by hand. What the page asks for a view in a frame
// (MCP Apps). A view is named by its id alone: whose it is, the host knows.
import { z } from 'zod'
import { attachment } from '../chat/attachments/attachment.ts'
import { manualRun } from '../chat/tools/manual-run.ts'
import { listedServer, sentTools } from '../chat/tools/tool-overview.ts'
import { toolSwitches } from '../chat/tools/tool-switches.ts'
import { approvedDefinition } from '../consent/tool-definition.ts'
import { jsonObject } from '../json.ts'
import { longestMcpAppLog, longestMcpAppText, mcpAppResult, openedMcpApp } from '../mcp-apps/app-view.ts'
import { toolEntry } from '../server/catalogue.ts'
import { serverName } from '../server/definition.ts'
import { logLevel } from '../server/server-state.ts'

const id = z.string().min(1).max(100)
const nothing = z.object({})
const request = <P extends z.ZodType, R extends z.ZodType>(params: P, result: R) => ({ params, result })

export const mcpAppRequests = {
  /** `agreed`: the fingerprint of what reaches out, once the person has seen where. `view.*` says why it is not drawn. */
  'view.open': request(z.object({ conversationId: id, callId: id, agreed: z.string().max(100).optional() }), openedMcpApp),
  'view.close': request(z.object({ id }), nothing),
  /** How the call ended that it belongs to. */
  'view.result': request(z.object({ id }), mcpAppResult),
  /** Asks as any call does; resolves when it is over. `consent.denied`, `tool.unknown`, or what it failed with. */
  'view.call': request(z.object({ id, tool: z.string().min(1).max(1000), arguments: jsonObject }), z.object({ result: jsonObject })),
  'view.read': request(z.object({ id, uri: z.string().min(1).max(8192) }), z.object({ result: jsonObject })),
  /** Asks the person; `opened`: they said yes. */
  'view.openLink': request(z.object({ id, url: z.string().max(8192) }), z.object({ opened: z.boolean() })),
  /** What it wants the model to know, as something to attach to the next message. */
  'view.tell': request(z.object({ id, words: z.string().min(1).max(longestMcpAppText) }), z.object({ attachment })),
  'view.log': request(z.object({ id, level: logLevel, text: z.string().max(longestMcpAppLog) }), nothing),
  /** The next time it reaches out it is shown to the person again. */
  'view.forget': request(z.object({ id }), nothing),
} as const

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
    z.object({ run: manualRun }),
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
    z.object({ runs: z.array(manualRun), more: z.boolean() }),
  ),
  /** Null: it is not kept any more. */
  'tool.getRun': request(z.object({ id }), z.object({ run: manualRun.nullable() })),
  /** Those of one tool, or all; none that is under way. Returns how many went. */
  'tool.forgetRuns': request(
    z.object({ of: z.object({ server: serverName, tool: name }).optional() }),
    z.object({ gone: z.number().int() }),
  ),
} as const
