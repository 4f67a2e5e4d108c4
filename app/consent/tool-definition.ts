// All that a person or a model is told about a tool: what an approval of it is bound to, by fingerprint, and what is kept
// so that a change of it can be shown.
import { z } from 'zod'
import { type ToolEntry, toolEntry } from '../server/catalogue.ts'

export const toolDefinition = toolEntry.pick({
  name: true,
  title: true,
  description: true,
  inputSchema: true,
  outputSchema: true,
  annotations: true,
})
export type ToolDefinition = z.infer<typeof toolDefinition>

/** A definition as the person accepted it. */
export const approvedDefinition = z.object({ fingerprint: z.string(), approvedAt: z.number(), definition: toolDefinition })
export type ApprovedDefinition = z.infer<typeof approvedDefinition>

type Told = Pick<ToolEntry, keyof ToolDefinition>

export const definitionOf = ({ name, title, description, inputSchema, outputSchema, annotations }: Told): ToolDefinition => ({
  name,
  ...(title === undefined ? {} : { title }),
  ...(description === undefined ? {} : { description }),
  inputSchema,
  ...(outputSchema === undefined ? {} : { outputSchema }),
  ...(annotations === undefined ? {} : { annotations }),
})
