// Other agents that use the servers of Assent through `assent mcp`: their entries, who is connected, and what a question says of them.
import { z } from 'zod'
import { isInside } from './consent/rules/path-text.ts'
import { serverName } from './server/definition.ts'

/** Begins every token, so that a secret scanner knows one. */
export const gateTokenPrefix = 'assent_mcp_'
/** Environment variable by which `assent mcp` gets its token: argument lists are readable by other accounts. */
export const gateTokenVariable = 'ASSENT_MCP_TOKEN'
export const mostGateClients = 100

const servers = z.union([z.literal('all'), z.array(serverName).max(1000)])
export type OfferedServers = z.infer<typeof servers>
const name = z.string().trim().min(1).max(60)
const path = z.string().min(1).max(4096)

export const gateClientDraft = z.object({
  /** Name on cards, in rules and in the audit log. */
  name,
  /** App that it was set up for; absent: by hand. */
  app: z.string().max(60).optional(),
  servers,
  /** Other servers for agents that run inside a folder; the innermost folder counts. */
  projects: z
    .array(z.object({ folder: path, servers }))
    .max(100)
    .optional(),
  /** Whether servers that ask for sampling in its calls get answers of its own model. */
  sampling: z.boolean().optional(),
  /** Folders that it may pass on to servers as roots; absent: none of its own. */
  roots: z.array(path).max(100).optional(),
})
export type GateClientDraft = z.infer<typeof gateClientDraft>

export const gateClient = gateClientDraft.extend({ id: z.string().min(1).max(100), createdAt: z.number() })
export type GateClient = z.infer<typeof gateClient>

/** Agent in whose name something is asked. */
export const requestAgent = z.object({
  /** Id and name of the entry that its token belongs to. */
  client: z.string(),
  name: z.string(),
  /** Executable of the agent, and the folder that it runs in. */
  program: z.string().optional(),
  folder: z.string().optional(),
  /** Whether the host read both from the operating system; false: the agent's side says so. */
  verified: z.boolean(),
  /** Name and version that the agent gives itself (MCP `clientInfo`): only claimed. */
  claimed: z.string().optional(),
})
export type RequestAgent = z.infer<typeof requestAgent>

const gateConnection = requestAgent.extend({ id: z.string(), since: z.number(), transport: z.enum(['stdio', 'http']) })
export type GateConnection = z.infer<typeof gateConnection>

export const gateClientSummary = gateClient.extend({
  /** Time of its last connection in milliseconds; absent: never. */
  lastSeen: z.number().optional(),
  connections: z.array(gateConnection),
})
export type GateClientSummary = z.infer<typeof gateClientSummary>

/** Address for agents over HTTP while it is switched on, or why it cannot be used. */
export const gateHttp = z.object({ url: z.string().optional(), problem: z.string().optional() })
export type GateHttp = z.infer<typeof gateHttp>

/** Servers that an agent is offered. A folder that is only claimed never adds any. */
export function offeredTo(client: GateClient, agent: Pick<RequestAgent, 'folder' | 'verified'>): (server: string) => boolean {
  const { folder, verified } = agent
  const inside = folder === undefined ? [] : (client.projects ?? []).filter((project) => isInside(folder, project.folder))
  const project = inside.sort((a, b) => b.folder.length - a.folder.length)[0]
  const has = (offered: OfferedServers, server: string): boolean => offered === 'all' || offered.includes(server)
  return (server) => {
    if (!project) return has(client.servers, server)
    return has(project.servers, server) && (verified || has(client.servers, server))
  }
}
