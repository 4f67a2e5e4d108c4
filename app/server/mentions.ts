// Resources, templates and prompts that can be added to a message, found by what is typed.
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
  /** Mentions, best match first. */
  offers: z.array(mention),
  found: z.number().int(),
  /** Enabled servers whose offers are unknown until they run. */
  unknown: z.array(z.string()),
})
export type FoundMentions = z.infer<typeof foundMentions>

export const mostMentions = 50
