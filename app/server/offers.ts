// What servers offer to the person for a message: resources, templates of resources, and prompts; found by what is typed.
import { z } from 'zod'
import { promptEntry, resourceEntry, resourceTemplateEntry } from './catalogue.ts'

const whose = { server: z.string() }

export const offer = z.discriminatedUnion('kind', [
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
export type Offer = z.infer<typeof offer>

export const offersFound = z.object({
  /** The best first. */
  offers: z.array(offer),
  /** How many fit. */
  found: z.number().int(),
  /** Servers that are on, and whose offers nobody knows before they have run. */
  unknown: z.array(z.string()),
})
export type OffersFound = z.infer<typeof offersFound>

/** Of those that fit, so many are shown. */
export const mostOffers = 50
