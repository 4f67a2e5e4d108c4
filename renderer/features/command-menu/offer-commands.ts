// Resources and prompts: to their place in the library. Nothing is read or used from here.
import type { Offer } from '#app/server/offers.ts'
import { navigate } from '#renderer/router.ts'
import type { Command } from './command.ts'

const icons = { resource: 'file', template: 'edit', prompt: 'text' } as const

export const offerCommands = (offers: readonly Offer[]): Command[] =>
  offers.map((offer) => {
    const item = offer.kind === 'resource' ? offer.uri : offer.kind === 'template' ? offer.uriTemplate : offer.name
    return {
      id: `${offer.kind} ${offer.server} ${item}`,
      words: offer.name,
      detail: offer.server,
      icon: icons[offer.kind],
      act: () => navigate({ page: 'library', tab: offer.kind === 'prompt' ? 'prompts' : 'resources', server: offer.server, item }),
    }
  })
