// What servers offer to the person for a message: resources, templates of resources, and prompts; found by what is typed.
import { z } from 'zod'
import { promptEntry, resourceEntry, resourceTemplateEntry } from './catalogue.ts'

const whose = { server: z.string() }

const mention = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('resource'),
    ...whose,
    ...resourceEntry.pick({ uri: true, name: true, title: true, description: true, mimeType: true, size: true }).shape,
  }),
  z.object({
    kind: z.literal('template'),
    ...whose,
    ...resourceTemplateEntry.pick({ uriTemplate: true, name: true, title: true, description: true }).shape,
  }),
  z.object({
    kind: z.literal('prompt'),
    ...whose,
    ...promptEntry.pick({ name: true, title: true, description: true, arguments: true }).shape,
  }),
])
export type Mention = z.infer<typeof mention>

export const foundMentions = z.object({
  /** The best first. */
  offers: z.array(mention),
  /** How many fit. */
  found: z.number().int(),
  /** Servers that are on, and whose offers nobody knows before they have run. */
  unknown: z.array(z.string()),
})
export type FoundMentions = z.infer<typeof foundMentions>

/** Of those that fit, so many are shown. */
export const mostMentions = 50
