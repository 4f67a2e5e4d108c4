// Requests about tools (lists, details, manual calls) and about MCP Apps in frames. An MCP App is named by its id alone; the host
// knows its server.
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
import { id, nothing, request } from './request-schema.ts'

export const mcpAppRequests = {
  /** Opens the MCP App of a call. `agreed`: fingerprint of its domains, once the person has accepted them. Fails with `view.*`. */
  'view.open': request(z.object({ conversationId: id, callId: id, agreed: z.string().max(100).optional() }), openedMcpApp),
  'view.close': request(z.object({ id }), nothing),
  'view.result': request(z.object({ id }), mcpAppResult),
  /** Calls a tool, with consent as any call; resolves when it is over. Fails with `consent.denied`, `tool.unknown` or the call's error. */
  'view.call': request(z.object({ id, tool: z.string().min(1).max(1000), arguments: jsonObject }), z.object({ result: jsonObject })),
  'view.read': request(z.object({ id, uri: z.string().min(1).max(8192) }), z.object({ result: jsonObject })),
  /** Asks the person to open a link. `opened`: whether they allowed it. */
  'view.openLink': request(z.object({ id, url: z.string().max(8192) }), z.object({ opened: z.boolean() })),
  /** Context for the model, as an attachment of the next message. */
  'view.tell': request(z.object({ id, words: z.string().min(1).max(longestMcpAppText) }), z.object({ attachment })),
  'view.log': request(z.object({ id, level: logLevel, text: z.string().max(longestMcpAppLog) }), nothing),
  /** Drops the accepted domains: the next app with any asks again. */
  'view.forget': request(z.object({ id }), nothing),
} as const

const name = z.string().min(1).max(1000)

export const toolRequests = {
  /** Tools of all servers, with their switches. */
  'tool.list': request(nothing, z.object({ servers: z.array(listedServer) })),
  /** Tools sent with a request; without a conversation: for a new chat. */
  'tool.sent': request(
    z.object({
      conversationId: id.optional(),
      begins: z.object({ model: z.string().max(300), folderId: id.optional(), tools: toolSwitches.optional() }).optional(),
    }),
    sentTools,
  ),
  /** Complete definition of a tool, and the accepted one; null: none is kept. */
  'tool.get': request(z.object({ server: serverName, tool: name }), z.object({ tool: toolEntry, approved: approvedDefinition.nullable() })),
  /**
   * Runs a manual call: pressing Run allows exactly these arguments, once. `fingerprint`: of the tool shown; fails with
   * `tool.changed` for another. `handRun.changed` reports its state.
   */
  'tool.run': request(
    z.object({ server: serverName, tool: name, fingerprint: z.string().max(200), arguments: z.string().max(2_000_000) }),
    z.object({ run: manualRun }),
  ),
  'tool.cancelRun': request(z.object({ id }), nothing),
  /** Extends an overdue run by one period; does nothing for others. */
  'tool.waitForRun': request(z.object({ id }), nothing),
  /** Manual calls, newest first, without results (`tool.getRun`). `before`: `at` and id of the last one received. */
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
  /** Deletes the runs of one tool, or all, except running ones. Returns their number. */
  'tool.forgetRuns': request(
    z.object({ of: z.object({ server: serverName, tool: name }).optional() }),
    z.object({ gone: z.number().int() }),
  ),
} as const
