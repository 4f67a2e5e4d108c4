// What the page asks for a view in a frame (MCP Apps). A view is named by its id alone: whose it is, the host knows.
import { z } from 'zod'
import { longestViewLog, longestViewWords, openedView, viewResult } from '../apps/view.ts'
import { attachment } from '../chat/attachment.ts'
import { jsonObject } from '../json.ts'
import { logLevel } from '../server/state.ts'

const id = z.string().min(1).max(100)
const nothing = z.object({})
const request = <P extends z.ZodType, R extends z.ZodType>(params: P, result: R) => ({ params, result })

export const viewRequests = {
  /** `agreed`: the fingerprint of what reaches out, once the person has seen where. `view.*` says why it is not drawn. */
  'view.open': request(z.object({ conversationId: id, callId: id, agreed: z.string().max(100).optional() }), openedView),
  'view.close': request(z.object({ id }), nothing),
  /** How the call ended that it belongs to. */
  'view.result': request(z.object({ id }), viewResult),
  /** Asks as any call does; resolves when it is over. `consent.denied`, `tool.unknown`, or what it failed with. */
  'view.call': request(z.object({ id, tool: z.string().min(1).max(1000), arguments: jsonObject }), z.object({ result: jsonObject })),
  'view.read': request(z.object({ id, uri: z.string().min(1).max(8192) }), z.object({ result: jsonObject })),
  /** Asks the person; `opened`: they said yes. */
  'view.openLink': request(z.object({ id, url: z.string().max(8192) }), z.object({ opened: z.boolean() })),
  /** What it wants the model to know, as something to attach to the next message. */
  'view.tell': request(z.object({ id, words: z.string().min(1).max(longestViewWords) }), z.object({ attachment })),
  'view.log': request(z.object({ id, level: logLevel, text: z.string().max(longestViewLog) }), nothing),
  /** The next time it reaches out it is shown to the person again. */
  'view.forget': request(z.object({ id }), nothing),
} as const
