// What a server offers: tools, resources, templates and prompts (MCP, "Server Features"). Unknown fields are kept.
import { z } from 'zod'
import { jsonObject } from '../json-schemas.ts'

/** Icons (MCP, "Icons"). They are data and never fetched here. */
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

/** Invalid values are dropped without dropping their entry. */
const extras = { icons: icons.optional().catch(undefined), _meta: jsonObject.optional().catch(undefined) }

/** Audience, priority and age (MCP, "Annotations"). */
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

const described = { name: z.string(), title: z.string().optional(), description: z.string().optional() }

export const toolEntry = z.object({
  ...described,
  inputSchema: jsonObject,
  outputSchema: jsonObject.optional(),
  annotations: toolAnnotations.optional(),
  /** Task support (MCP 2025-11-25, "Tasks"); an unknown value counts as absent. */
  execution: z
    .looseObject({ taskSupport: z.enum(['forbidden', 'optional', 'required']).optional().catch(undefined) })
    .optional()
    .catch(undefined),
  ...extras,
  /** Name for the model: qualified by server, within every provider's limits. */
  modelName: z.string(),
  tokens: z.number().int(),
  enabled: z.boolean(),
  /** SHA-256 over name, description, schemas and annotations; standing approvals are bound to it. */
  fingerprint: z.string(),
})
export type ToolEntry = z.infer<typeof toolEntry>

const resource = { ...described, mimeType: z.string().optional(), annotations, ...extras }
export const resourceEntry = z.object({ uri: z.string(), ...resource, size: z.number().optional() })
export type ResourceEntry = z.infer<typeof resourceEntry>

export const resourceTemplateEntry = z.object({ uriTemplate: z.string(), ...resource })
export type ResourceTemplateEntry = z.infer<typeof resourceTemplateEntry>

export const promptEntry = z.object({
  ...described,
  arguments: z.array(z.object({ ...described, required: z.boolean().optional() })).optional(),
  ...extras,
})
export type PromptEntry = z.infer<typeof promptEntry>

export const catalogue = z.object({
  tools: z.array(toolEntry),
  resources: z.array(resourceEntry),
  resourceTemplates: z.array(resourceTemplateEntry),
  prompts: z.array(promptEntry),
  /** Expiry in milliseconds since the epoch (MCP 2026-07-28, `ttlMs`); undefined: none given. */
  expiresAt: z.number().optional(),
  /** Audience of a cached list (MCP 2026-07-28, `cacheScope`). */
  cacheScope: z.enum(['public', 'private']).optional(),
  /** Time of the last fetch in milliseconds since the epoch; undefined: never. */
  fetchedAt: z.number().optional(),
  /** Reason why the last fetch failed; the lists are then of an earlier one. */
  stale: z.string().optional(),
})
export type Catalogue = z.infer<typeof catalogue>

export const emptyCatalogue: Catalogue = { tools: [], resources: [], resourceTemplates: [], prompts: [] }
