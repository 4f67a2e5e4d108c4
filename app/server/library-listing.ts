// The library's lists of a server as last seen, and the contents of a resource that was read.
import { z } from 'zod'
import { blobRef } from '../blob.ts'
import { promptEntry, resourceEntry, resourceTemplateEntry } from './catalogue.ts'

/** Resource as long lists show it; details are requested one by one. */
export const listedResource = resourceEntry.pick({ uri: true, name: true, title: true, mimeType: true, size: true })
export type ListedResource = z.infer<typeof listedResource>

export const mostListed = 2000

export const libraryListing = z.object({
  templates: z.array(resourceTemplateEntry),
  prompts: z.array(promptEntry),
  /** Number of resources; they are fetched in parts. */
  resources: z.number().int(),
  /** Time of the listing in milliseconds since the epoch; undefined: never. */
  fetchedAt: z.number().optional(),
  /** Reason why the last listing failed; the lists are then of an earlier one. */
  stale: z.string().optional(),
})
export type LibraryListing = z.infer<typeof libraryListing>

/** One content of a resource that was read. */
export const shownContent = z.object({
  uri: z.string(),
  /** Type that the server claims. `blob` has the type of the bytes. */
  mimeType: z.string().optional(),
  /** Text; absent for binary content. */
  text: z.string().optional(),
  /** `text` is only the beginning; the blob holds all. */
  cut: z.boolean().optional(),
  /** Bytes, kept while the content is shown. */
  blob: blobRef,
  /** Estimated tokens when attached; absent: no model reads it. */
  tokens: z.number().int().optional(),
})
export type ShownContent = z.infer<typeof shownContent>

/** Most contents that are shown of a resource. */
export const mostContents = 100
