// The library's lists of a server as last seen, and the contents of a resource that was read.
import { z } from 'zod'
import { blobRef } from '../blob.ts'
import { catalogue, resourceEntry, resourceTemplateEntry } from './catalogue.ts'

/** Resource as long lists show it; details are requested one by one. */
export const listedResource = resourceEntry.pick({ uri: true, name: true, title: true, mimeType: true, size: true })
export type ListedResource = z.infer<typeof listedResource>

export const mostListed = 2000

/** `resources`: their number; they are fetched in parts. */
export const libraryListing = catalogue
  .pick({ prompts: true, fetchedAt: true, stale: true })
  .extend({ templates: z.array(resourceTemplateEntry), resources: z.number().int() })
export type LibraryListing = z.infer<typeof libraryListing>

export const listedSkill = z.object({
  uri: z.string(),
  name: z.string(),
  description: z.string(),
  /** Bytes of all its files together. */
  bytes: z.number().int().optional(),
  /** Reason why it is not read. */
  problem: z.string().optional(),
})
export type ListedSkill = z.infer<typeof listedSkill>

export const mostSkills = 500

export const shownContent = z.object({
  uri: z.string(),
  /** Type that the server claims. `blob` has the type of the bytes. */
  mimeType: z.string().optional(),
  text: z.string().optional(),
  /** `text` is only the beginning; the blob holds all. */
  cut: z.boolean().optional(),
  /** Bytes, kept while the content is shown. */
  blob: blobRef,
  /** Estimated tokens when attached; absent: no model reads it. */
  tokens: z.number().int().optional(),
})
export type ShownContent = z.infer<typeof shownContent>

export const mostContents = 100
