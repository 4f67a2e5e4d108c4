// Domains that an MCP App may load from and connect to (MCP Apps, "UI Resource Format"), as allowed and shown. Sources are rebuilt
// from parsed URLs: no server text reaches a policy.
import { z } from 'zod'

const sources = z.array(z.string().max(300)).max(100)

export const mcpAppDomains = z.object({
  /** Origins of https and wss that it may send data to. */
  connect: sources,
  /** Origins of scripts, styles, images, fonts and media; a load can carry data too. */
  resource: sources,
  /** Base of relative URLs; loads nothing by itself. */
  baseUri: sources,
})
export type McpAppDomains = z.infer<typeof mcpAppDomains>

export const noDomains: McpAppDomains = { connect: [], resource: [], baseUri: [] }

/** Whether data could leave this machine. */
export const reachesOut = ({ connect, resource }: McpAppDomains): boolean => connect.length > 0 || resource.length > 0

export const refusedDomain = z.object({
  /** Declared text, cut. */
  text: z.string().max(300),
  why: z.enum(['not-an-origin', 'insecure', 'wildcard', 'private', 'too-many', 'frames', 'origin']),
})
export type RefusedDomain = z.infer<typeof refusedDomain>
