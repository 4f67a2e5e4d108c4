// The view of a tool call (MCP Apps), as the page is told of it. The document itself it never gets: a frame asks the shell.
import { z } from 'zod'
import { toolDefinition } from '../consent/tool-definition.ts'
import { jsonObject } from '../json.ts'
import { mcpAppDomains, refusedDomain } from './csp-domains.ts'

/** What a view would like of this computer. Nothing of it is given. */
export const mcpAppPermissions = ['camera', 'microphone', 'geolocation', 'clipboardWrite'] as const
export type McpAppPermission = (typeof mcpAppPermissions)[number]

const facts = {
  server: z.string(),
  uri: z.string(),
  domains: mcpAppDomains,
  /** What it declared beside those, and does not get. */
  refused: z.array(refusedDomain),
  refusedPermissions: z.array(z.enum(mcpAppPermissions)),
}

export const openedMcpApp = z.discriminatedUnion('kind', [
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
export type OpenedMcpApp = z.infer<typeof openedMcpApp>

/** How the call ended that the view belongs to, in the words of its protocol; `waiting`: it has not. */
export const mcpAppResult = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('waiting') }),
  z.object({ kind: z.literal('result'), result: jsonObject }),
  z.object({ kind: z.literal('cancelled'), reason: z.string() }),
])
export type McpAppResult = z.infer<typeof mcpAppResult>

/** Characters of what a view wants the model to know, and of one line that it logs. */
export const longestMcpAppText = 20_000
export const longestMcpAppLog = 2000
