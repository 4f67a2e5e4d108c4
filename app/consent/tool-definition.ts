// What a person or a model is told about a tool. An approval is bound to it by fingerprint; it is kept to show changes.
import { z } from 'zod'
import { defined } from '../or-else.ts'
import { type ToolEntry, toolEntry } from '../server/catalogue.ts'

const told = { name: true, title: true, description: true, inputSchema: true, outputSchema: true, annotations: true } as const
export const toolDefinition = toolEntry.pick(told)
export type ToolDefinition = z.infer<typeof toolDefinition>

export const approvedDefinition = z.object({ fingerprint: z.string(), approvedAt: z.number(), definition: toolDefinition })
export type ApprovedDefinition = z.infer<typeof approvedDefinition>

export const definitionOf = (tool: Pick<ToolEntry, keyof ToolDefinition>): ToolDefinition => {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool
  return defined({ name, title, description, inputSchema, outputSchema, annotations })
}
