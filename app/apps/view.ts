// The view of a tool call (MCP Apps), as the page is told of it. The document itself it never gets: a frame asks the shell.
import { z } from 'zod'
import { toolDefinition } from '../consent/tool-definition.ts'
import { jsonObject } from '../json.ts'
import { refusedDomain, viewDomains } from './domains.ts'

/** What a view would like of this computer. Nothing of it is given. */
export const viewPermissions = ['camera', 'microphone', 'geolocation', 'clipboardWrite'] as const
export type ViewPermission = (typeof viewPermissions)[number]

const facts = {
  server: z.string(),
  uri: z.string(),
  domains: viewDomains,
  /** What it declared beside those, and does not get. */
  refused: z.array(refusedDomain),
  refusedPermissions: z.array(z.enum(viewPermissions)),
}

export const openedView = z.discriminatedUnion('kind', [
  /** It is at `/view/<id>`, for one frame. */
  z.object({
    kind: z.literal('ready'),
    ...facts,
    id: z.string(),
    tool: toolDefinition,
    arguments: jsonObject,
    /** Whether it wants to be set off from the page. */
    border: z.boolean(),
  }),
  /** It reaches beyond this machine: drawn once the person said yes to this fingerprint. */
  z.object({ kind: z.literal('asks'), ...facts, fingerprint: z.string() }),
])
export type OpenedView = z.infer<typeof openedView>

/** How the call ended that the view belongs to, in the words of its protocol; `waiting`: it has not. */
export const viewResult = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('waiting') }),
  z.object({ kind: z.literal('result'), result: jsonObject }),
  z.object({ kind: z.literal('cancelled'), reason: z.string() }),
])
export type ViewResult = z.infer<typeof viewResult>

/** Characters of what a view wants the model to know, and of one line that it logs. */
export const longestViewWords = 20_000
export const longestViewLog = 2000
