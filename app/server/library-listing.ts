// What the library shows of a server: its lists as they were last seen, and what a resource of it said.
import { z } from 'zod'
import { blobRef } from '../blob.ts'
import { promptEntry, resourceEntry, resourceTemplateEntry } from './catalogue.ts'

/** As long lists name it: what else is known of one is asked for when somebody looks at it. */
export const listedResource = resourceEntry.pick({ uri: true, name: true, title: true, mimeType: true, size: true })
export type ListedResource = z.infer<typeof listedResource>

/** Resources that one request for a part of the list gives at most. */
export const mostListed = 2000

export const libraryListing = z.object({
  templates: z.array(resourceTemplateEntry),
  prompts: z.array(promptEntry),
  /** How many there are; they are fetched in parts. */
  resources: z.number().int(),
  /** When they were listed, milliseconds since the epoch; undefined: never yet. */
  fetchedAt: z.number().optional(),
  /** Why the last listing failed: what is here is from an earlier one. */
  stale: z.string().optional(),
})
export type LibraryListing = z.infer<typeof libraryListing>

/** One of the contents of a resource that was read. */
export const shownContent = z.object({
  uri: z.string(),
  /** As the server named it: a claim. `blob` has the type that the bytes themselves speak for. */
  mimeType: z.string().optional(),
  /** Absent: bytes that are no text. */
  text: z.string().optional(),
  /** `text` is the beginning only; all of it is in the blob. */
  cut: z.boolean().optional(),
  /** Kept while it is looked at, and for saving; not in the profile. */
  blob: blobRef,
  /** About what a model would count for it, attached as it is; absent: no model reads it. */
  tokens: z.number().int().optional(),
})
export type ShownContent = z.infer<typeof shownContent>

/** Contents of one resource that are shown. */
export const mostContents = 100
