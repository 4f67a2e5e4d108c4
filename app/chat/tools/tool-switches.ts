// Tools switched off in one chat, beyond those off everywhere, and the budget of tool definitions in estimated tokens.
import { z } from 'zod'
import { ownMember } from '#app/json.ts'
import { mapOf } from '#app/json-schemas.ts'
import { estimateTokens } from '#app/text/format-text.ts'

/** Default share of the context, in percent. */
export const defaultToolShare = 10
/** Context size assumed for an unknown model. */
const unknownContextTokens = 100_000
/** Smallest budget: room for the results of a tool search. */
const LEAST = 1000

/** Tokens available to definitions. `share`: percent. */
export const toolBudget = (share: number, contextTokens: number | undefined): number =>
  Math.max(LEAST, Math.floor(((contextTokens ?? unknownContextTokens) * share) / 100))

/** Estimated tokens of a definition in each request. */
export const definitionTokens = (name: string, description: string, inputSchema: object): number =>
  estimateTokens(JSON.stringify({ name, description, input_schema: inputSchema }))

const name = z.string().min(1).max(1000)
const names = z.array(name).max(10_000)

export const toolSwitches = z.object({
  /** Servers that are off with all tools. */
  servers: names,
  /** Tools that are off, by server. */
  tools: mapOf(names, name),
})
export type ToolSwitches = z.infer<typeof toolSwitches>

export const isServerOff = (switches: ToolSwitches | undefined, server: string): boolean => switches?.servers.includes(server) ?? false

export const isToolOff = (switches: ToolSwitches | undefined, server: string, tool: string): boolean =>
  switches !== undefined && (isServerOff(switches, server) || (ownMember(switches.tools, server)?.includes(tool) ?? false))

/** Sets a switch of a tool, or of a whole server without `tool`; undefined when nothing is off any more. */
export function withSwitch(
  before: ToolSwitches | undefined,
  { server, tool }: { readonly server: string; readonly tool?: string | undefined },
  on: boolean,
): ToolSwitches | undefined {
  const set = (names: readonly string[], name: string): string[] => [...names.filter((one) => one !== name), ...(on ? [] : [name])].sort()
  const tools = new Map(Object.entries(before?.tools ?? {}))
  const servers = tool === undefined ? set(before?.servers ?? [], server) : [...(before?.servers ?? [])].sort()
  if (tool !== undefined) tools.set(server, set(tools.get(server) ?? [], tool))
  if (tools.get(server)?.length === 0) tools.delete(server)
  return servers.length === 0 && tools.size === 0 ? undefined : { servers, tools: Object.fromEntries(tools) }
}
