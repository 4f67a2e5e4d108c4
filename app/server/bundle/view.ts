// A bundle as a page sees it before it is installed, and what is known of one that is.
import { z } from 'zod'
import { serverName } from '../definition.ts'
import { bundleChange } from './compare.ts'
import { concern } from './concerns.ts'
import { bundleDownload } from './download.ts'
import { fitCheck } from './fit.ts'
import { serverTypes } from './manifest.ts'
import { signatureView } from './signature.ts'
import { bundleField } from './user-config.ts'

const offer = z.object({ name: z.string(), description: z.string() })

export const bundleFacts = z.object({
  name: z.string(),
  displayName: z.string(),
  /** A PNG as a `data:` address. */
  icon: z.string().max(400_000).optional(),
  version: z.string(),
  description: z.string(),
  longDescription: z.string().optional(),
  author: z.object({ name: z.string(), email: z.string().optional(), url: z.string().optional() }),
  license: z.string().optional(),
  /** What it names of pages; nothing of it is fetched. */
  links: z.array(z.object({ what: z.enum(['homepage', 'documentation', 'support', 'repository', 'privacy']), url: z.string() })),
  manifestVersion: z.string(),
  type: z.enum(serverTypes),
  tools: z.array(offer),
  /** It has more of them than it names. */
  toolsGenerated: z.boolean(),
  prompts: z.array(offer),
  promptsGenerated: z.boolean(),
})
export type BundleFacts = z.infer<typeof bundleFacts>

/** Of a server that a bundle of the same name brought: what this one would change. */
export const bundleUpdate = z.object({
  server: serverName,
  version: z.string(),
  order: z.enum(['newer', 'older', 'same', 'unknown']),
  /** false: it is not from whom that one is, and cannot take its place. */
  sameOrigin: z.boolean(),
  changes: z.array(bundleChange),
  fields: z.array(bundleField),
})
export type BundleUpdate = z.infer<typeof bundleUpdate>

export const bundleView = z.object({
  id: z.string(),
  file: z.string(),
  bytes: z.number().int(),
  files: z.number().int(),
  unpackedBytes: z.number().int(),
  facts: bundleFacts,
  /** As the manifest writes it for this system; `${…}` is filled in later, and shown then. */
  command: z.object({ command: z.string(), args: z.array(z.string()), env: z.record(z.string(), z.string()) }),
  concerns: z.array(concern),
  fit: z.array(fitCheck),
  signature: signatureView,
  fields: z.array(bundleField),
  suggestedName: serverName,
  updates: z.array(bundleUpdate),
  download: bundleDownload.optional(),
})
export type BundleView = z.infer<typeof bundleView>

export const installedBundle = z.object({
  server: serverName,
  facts: bundleFacts,
  installedAt: z.number(),
  signature: signatureView,
  fields: z.array(bundleField),
  folder: z.string(),
  download: bundleDownload.optional(),
  /** The version before, kept until this one has started once or is accepted. */
  previous: z.object({ version: z.string() }).optional(),
})
export type InstalledBundle = z.infer<typeof installedBundle>
