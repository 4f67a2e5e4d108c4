// What a server offers, as the host keeps it: tools, resources, templates, prompts (MCP, "Server features").
// Shapes follow the specification; unknown fields are kept, since a newer server may send more.
import { z } from 'zod'
import { jsonObject } from '../json.ts'

/** Pictures that a server names for what it offers. They are data: nothing here fetches them. */
export const icons = z
  .array(
    z.object({
      src: z.string().max(100_000),
      mimeType: z.string().optional(),
      sizes: z.array(z.string()).optional(),
      theme: z.string().optional(),
    }),
  )
  .max(20)

/** Of no use: left out, and what it belongs to stays. */
const extras = { icons: icons.optional().catch(undefined), _meta: jsonObject.optional().catch(undefined) }

/** For whom, how important and how old (MCP, "Annotations"). */
const annotations = z
  .looseObject({ audience: z.array(z.string()).optional(), priority: z.number().optional(), lastModified: z.string().optional() })
  .optional()
  .catch(undefined)

export const toolAnnotations = z.looseObject({
  title: z.string().optional(),
  readOnlyHint: z.boolean().optional(),
  destructiveHint: z.boolean().optional(),
  idempotentHint: z.boolean().optional(),
  openWorldHint: z.boolean().optional(),
})

export const toolEntry = z.object({
  name: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  inputSchema: jsonObject,
  outputSchema: jsonObject.optional(),
  annotations: toolAnnotations.optional(),
  /** Whether it is called as a task (2025-11-25); what is not known there is as if it were not said. */
  execution: z
    .looseObject({ taskSupport: z.enum(['forbidden', 'optional', 'required']).optional().catch(undefined) })
    .optional()
    .catch(undefined),
  ...extras,
  /** What the model calls it: qualified by server, within every provider's limits. */
  modelName: z.string(),
  /** Estimated tokens of its definition in a request. */
  tokens: z.number().int(),
  /** The user's switch: off, and the model does not see it. */
  enabled: z.boolean(),
  /** SHA-256 over name, description, schemas and annotations; standing approvals are bound to it. */
  fingerprint: z.string(),
})
export type ToolEntry = z.infer<typeof toolEntry>

export const resourceEntry = z.object({
  uri: z.string(),
  name: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  mimeType: z.string().optional(),
  size: z.number().optional(),
  annotations,
  ...extras,
})
export type ResourceEntry = z.infer<typeof resourceEntry>

export const resourceTemplateEntry = z.object({
  uriTemplate: z.string(),
  name: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  mimeType: z.string().optional(),
  annotations,
  ...extras,
})
export type ResourceTemplateEntry = z.infer<typeof resourceTemplateEntry>

export const promptEntry = z.object({
  name: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  arguments: z
    .array(
      z.object({ name: z.string(), title: z.string().optional(), description: z.string().optional(), required: z.boolean().optional() }),
    )
    .optional(),
  ...extras,
})
export type PromptEntry = z.infer<typeof promptEntry>

export const catalogue = z.object({
  tools: z.array(toolEntry),
  resources: z.array(resourceEntry),
  resourceTemplates: z.array(resourceTemplateEntry),
  prompts: z.array(promptEntry),
  /** Until when the server said it would hold (2026-07-28, `ttlMs`), milliseconds since the epoch; undefined: it did not say. */
  expiresAt: z.number().optional(),
  /** For whom it is the same: everybody, or only who is signed in. */
  cacheScope: z.enum(['public', 'private']).optional(),
  /** When it was fetched, milliseconds since the epoch; undefined: never yet. */
  fetchedAt: z.number().optional(),
  /** Set when the last fetch failed: what is listed is from an earlier one. */
  stale: z.string().optional(),
})
export type Catalogue = z.infer<typeof catalogue>

export const emptyCatalogue: Catalogue = { tools: [], resources: [], resourceTemplates: [], prompts: [] }
