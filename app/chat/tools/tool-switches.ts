// What is switched off in one chat, on top of what is off everywhere: a chat can do with fewer tools, never with more. How much
// of a model's context the definitions of tools may take. Tokens are estimated (`estimateTokens`), as everywhere that tools are
// counted.

import { z } from 'zod'
import { estimateTokens } from '#app/text/format-text.ts'

/** Percent of the context, until the person sets another. */
export const defaultToolShare = 10
/** Taken for the context where nobody says how large it is. */
const unknownContextTokens = 100_000
/** Less would leave no room for what a search finds. */
const LEAST = 1000

/** Tokens. `share`: percent. */
export const toolBudget = (share: number, contextTokens: number | undefined): number =>
  Math.max(LEAST, Math.floor(((contextTokens ?? unknownContextTokens) * share) / 100))

/** About what a definition costs in each request. */
export const definitionTokens = (name: string, description: string, inputSchema: object): number =>
  estimateTokens(JSON.stringify({ name, description, input_schema: inputSchema }))

const name = z.string().min(1).max(1000)
const names = z.array(name).max(10_000)

export const toolSwitches = z.object({
  /** Servers none of whose tools are offered. */
  servers: names,
  /** Tools that are not, by server. */
  tools: z.record(name, names),
})
export type ToolSwitches = z.infer<typeof toolSwitches>

interface SwitchedTool {
  readonly server: string
  /** Absent: the server with all of its tools. */
  readonly tool?: string | undefined
}

export const isServerOff = (switches: ToolSwitches | undefined, server: string): boolean => switches?.servers.includes(server) ?? false

/** A tool is off with its server, too. */
export const isToolOff = (switches: ToolSwitches | undefined, server: string, tool: string): boolean =>
  switches !== undefined && (isServerOff(switches, server) || (ownList(switches, server)?.includes(tool) ?? false))

/** A server may bear any name, that of an object's own methods too. */
const ownList = ({ tools }: ToolSwitches, server: string): readonly string[] | undefined =>
  Object.hasOwn(tools, server) ? tools[server] : undefined

/** After a switch was set; undefined when nothing is off any more. */
export function withSwitch(before: ToolSwitches | undefined, { server, tool }: SwitchedTool, on: boolean): ToolSwitches | undefined {
  const servers = new Set(before?.servers)
  const tools = new Map(Object.entries(before?.tools ?? {}))
  if (tool === undefined) {
    if (on) servers.delete(server)
    else servers.add(server)
  } else {
    const off = new Set(tools.get(server))
    if (on) off.delete(tool)
    else off.add(tool)
    if (off.size > 0) tools.set(server, [...off].sort())
    else tools.delete(server)
  }
  if (servers.size === 0 && tools.size === 0) return undefined
  return { servers: [...servers].sort(), tools: Object.fromEntries(tools) }
}
