// Requests about tools (lists, details, manual calls) and about MCP Apps in frames. An MCP App is named by its id alone; the host
// knows its server.
import { z } from 'zod'
import { attachment } from '../chat/attachments/attachment.ts'
import { manualRun } from '../chat/tools/manual-run.ts'
import { listedServer, sentTools } from '../chat/tools/tool-overview.ts'
import { toolSwitches } from '../chat/tools/tool-switches.ts'
import { approvedDefinition } from '../consent/tool-definition.ts'
import { json, jsonObject } from '../json-schemas.ts'
import { longestMcpAppLog, longestMcpAppText, mcpAppResult, openedMcpApp } from '../mcp-apps/app-view.ts'
import { toolEntry } from '../server/catalogue.ts'
import { serverName } from '../server/definition.ts'
import { era, logLevel } from '../server/server-state.ts'
import { id, integer, request } from './request-schema.ts'

export const mcpAppRequests = {
  /** Opens the MCP App of a call. `agreed`: fingerprint of its domains, once the person has accepted them. @throws {HostError} `view.*` */
  'mcpApp.open': request({ conversationId: id, callId: id, agreed: z.string().max(100).optional() }, openedMcpApp),
  'mcpApp.close': request({ id }),
  /** Serves a page of an answer to one frame, isolated as an app without network. `offset`: lines that stand before its first one. */
  'mcpApp.openArtifact': request({ html: z.string().min(1).max(2_000_000) }, { id: z.string(), offset: z.number().int() }),
  'mcpApp.result': request({ id }, mcpAppResult),
  /** Calls a tool, with consent as any call; resolves when it is over. @throws {HostError} `consent.denied`, `tool.unknown` or the call's error */
  'mcpApp.call': request({ id, tool: z.string().min(1).max(1000), arguments: jsonObject }, { result: jsonObject }),
  'mcpApp.read': request({ id, uri: z.string().min(1).max(8192) }, { result: jsonObject }),
  /** Asks the person to open a link. `opened`: whether they allowed it. */
  'mcpApp.openLink': request({ id, url: z.string().max(8192) }, { opened: z.boolean() }),
  /** Context for the model, as an attachment of the next message. */
  'mcpApp.tell': request({ id, words: z.string().min(1).max(longestMcpAppText) }, { attachment }),
  'mcpApp.log': request({ id, level: logLevel, text: z.string().max(longestMcpAppLog) }),
  /** Drops the accepted domains: the next app with any asks again. */
  'mcpApp.forget': request({ id }),
} as const

const name = z.string().min(1).max(1000)
const toolId = z.object({ server: serverName, tool: name })
const begunChat = z.object({ model: z.string().max(300), folderId: id.optional(), tools: toolSwitches.optional() })
const runPosition = z.object({ at: z.number(), id })

/** Answer of a server as it came over the wire: a result, or a JSON-RPC error. */
const wireError = z.object({ code: integer, message: z.string(), data: json.optional() })
export const serverAnswer = z.union([z.object({ result: jsonObject }), z.object({ error: wireError })])
const calledTool = z.object({
  result: jsonObject,
  era,
  protocolVersion: z.string(),
  transport: z.enum(['stdio', 'streamable-http', 'sse']),
  durationMs: z.number(),
})

export const toolRequests = {
  /**
   * Calls a tool, with consent as a model's call, and resolves when it is over. `timeoutMs`: without progress.
   * @throws {HostError} `consent.denied`, `tool.unknown` or the call's error
   */
  'tool.call': request(
    { ...toolId.shape, arguments: jsonObject, timeoutMs: integer.min(1).max(2_000_000_000).optional() },
    z.union([calledTool, z.object({ error: wireError })]),
  ),
  'tool.list': request({}, { servers: z.array(listedServer) }),
  /** Tools sent with a request; without a conversation: for a new chat. */
  'tool.sent': request({ conversationId: id.optional(), begins: begunChat.optional() }, sentTools),
  /** Complete definition of a tool, and the accepted one; null: none is kept. */
  'tool.get': request(toolId, { tool: toolEntry, approved: approvedDefinition.nullable() }),
  /** Runs a manual call: pressing Run is the consent. `fingerprint`: of the tool shown. @throws {HostError} `tool.changed` for another */
  'tool.run': request(toolId.extend({ fingerprint: z.string().max(200), arguments: z.string().max(2_000_000) }), { run: manualRun }),
  'tool.cancelRun': request({ id }),
  /** Extends an overdue run by one period; does nothing for others. */
  'tool.waitForRun': request({ id }),
  /** Manual calls, newest first, without results (`tool.getRun`). `before`: `at` and id of the last one received. */
  'tool.runs': request(toolId.partial().extend({ before: runPosition.optional(), limit: integer.min(1).max(100) }), {
    runs: z.array(manualRun),
    more: z.boolean(),
  }),
  /** Null: it is not kept any more. */
  'tool.getRun': request({ id }, { run: manualRun.nullable() }),
  /** Deletes the runs of one tool, or all, except running ones. Returns their number. */
  'tool.forgetRuns': request({ of: toolId.optional() }, { gone: integer }),
} as const
