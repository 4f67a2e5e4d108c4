// Where the view of a tool may load from and connect to (MCP Apps, "UI Resource Format"), as the host lets it and as the
// person is shown it. Every source is written anew from what was parsed: none of the server's own text reaches a policy.
import { z } from 'zod'

const sources = z.array(z.string().max(300)).max(100)

export const mcpAppDomains = z.object({
  /** It may send what it knows there, and get answers: origins of https and wss. */
  connect: sources,
  /** Scripts, styles, pictures, fonts and sounds come from there. Whoever loads can also tell. */
  resource: sources,
  /** What relative addresses in it are relative to; nothing is loaded by that alone. */
  baseUri: sources,
})
export type McpAppDomains = z.infer<typeof mcpAppDomains>

export const noDomains: McpAppDomains = { connect: [], resource: [], baseUri: [] }

/** Somebody beyond this machine could be told something. */
export const reachesOut = ({ connect, resource }: McpAppDomains): boolean => connect.length > 0 || resource.length > 0

export const refusedDomain = z.object({
  /** As it was declared, cut. */
  text: z.string().max(300),
  why: z.enum(['not-an-origin', 'insecure', 'wildcard', 'private', 'too-many', 'frames']),
})
export type RefusedDomain = z.infer<typeof refusedDomain>
