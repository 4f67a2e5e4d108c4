// An MCP App as the page sees it. The page never gets its document: a frame requests it from the shell.
import { z } from 'zod'
import { toolDefinition } from '../consent/tool-definition.ts'
import { jsonObject } from '../json-schemas.ts'
import { mcpAppDomains, refusedDomain } from './csp-domains.ts'

/** Permissions that an app may request; none is granted. */
export const mcpAppPermissions = ['camera', 'microphone', 'geolocation', 'clipboardWrite'] as const
export type McpAppPermission = (typeof mcpAppPermissions)[number]

const facts = {
  server: z.string(),
  uri: z.string(),
  domains: mcpAppDomains,
  refused: z.array(refusedDomain),
  refusedPermissions: z.array(z.enum(mcpAppPermissions)),
}

export const openedMcpApp = z.discriminatedUnion('kind', [
  /** Ready at `/view/<id>`, for one frame. */
  z.object({
    kind: z.literal('ready'),
    ...facts,
    id: z.string(),
    tool: toolDefinition,
    arguments: jsonObject,
    border: z.boolean(),
  }),
  /** Reaches beyond this machine: drawn once the person accepts this fingerprint. */
  z.object({ kind: z.literal('asks'), ...facts, fingerprint: z.string() }),
])
export type OpenedMcpApp = z.infer<typeof openedMcpApp>

/** Result of the call, as the MCP Apps protocol has it; `waiting`: it has not ended. */
export const mcpAppResult = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('waiting') }),
  z.object({ kind: z.literal('result'), result: jsonObject }),
  z.object({ kind: z.literal('cancelled'), reason: z.string() }),
])
export type McpAppResult = z.infer<typeof mcpAppResult>

/** Longest context for the model and longest log line, in characters. */
export const longestMcpAppText = 20_000
export const longestMcpAppLog = 2000
