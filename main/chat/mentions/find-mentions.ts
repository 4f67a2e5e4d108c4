// Offers of all servers that fit what is typed. Catalogues can hold tens of thousands of entries: between some thousand of
// them others get their turn, and a later search of the same kind ends an earlier one.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Catalogue } from '#app/server/catalogue.ts'
import { type FoundMentions, type Mention, mostMentions } from '#app/server/mentions.ts'
import { fuzzyMatch } from '#app/text/fuzzy-match.ts'
import type { Servers } from '#main/servers/lifecycle/servers-api.ts'

type MentionKind = 'resource' | 'prompt'

const AT_ONCE = 4000

/** Rejects with `cancelled` when a later one of that kind came. */
type FindMentions = (kind: MentionKind, text: string) => Promise<FoundMentions>

interface Scored {
  readonly offer: Mention
  readonly score: number
}

export function createFindMentions(servers: Pick<Servers, 'views' | 'catalogue'>): FindMentions {
  const latest: Record<MentionKind, number> = { resource: 0, prompt: 0 }
  return async (kind, text) => {
    const own = ++latest[kind]
    const best: Scored[] = []
    const unknown: string[] = []
    let found = 0
    let looked = 0
    for (const { name: server, state } of servers.views()) {
      if (state.kind === 'disabled') continue
      const catalogue = servers.catalogue(server)
      if (catalogue.fetchedAt === undefined) unknown.push(server)
      for (const offer of offersOf(kind, server, catalogue)) {
        if (++looked % AT_ONCE === 0) await nextTurn()
        if (latest[kind] !== own) throw new HostError('cancelled', t`A later search took the place of this one.`)
        const score = scoreOf(text, offer)
        if (score === undefined) continue
        found += 1
        keepBest(best, { offer, score })
      }
    }
    return { offers: best.map(({ offer }) => offer), found, unknown }
  }
}

function* offersOf(kind: MentionKind, server: string, { resources, resourceTemplates, prompts }: Catalogue): Iterable<Mention> {
  if (kind === 'prompt') {
    for (const { name, title, description, arguments: wanted } of prompts)
      yield { kind: 'prompt', server, name, title, description: shortened(description), arguments: wanted }
    return
  }
  for (const { uriTemplate, name, title, description } of resourceTemplates)
    yield { kind: 'template', server, uriTemplate, name, title, description: shortened(description) }
  for (const { uri, name, title, description, mimeType, size } of resources)
    yield { kind: 'resource', server, uri, name, title, description: shortened(description), mimeType, size }
}

const shortened = (text: string | undefined): string | undefined =>
  text === undefined || text.length <= 300 ? text : `${text.slice(0, 299)}…`

/** By its name, then by its title, its address and its server's name. */
function scoreOf(text: string, offer: Mention): number | undefined {
  const address = offer.kind === 'resource' ? offer.uri : offer.kind === 'template' ? offer.uriTemplate : ''
  const name = fuzzyMatch(text, offer.name)?.score
  const others = [offer.title ?? '', address, `${offer.server} ${offer.name}`].map((other) => fuzzyMatch(text, other)?.score)
  const scores = [name, ...others.map((score) => (score === undefined ? undefined : score - 3))].filter((score) => score !== undefined)
  return scores.length === 0 ? undefined : Math.max(...scores)
}

/** In order, the earlier of two that fit alike first; no more than are shown. */
function keepBest(best: Scored[], one: Scored): void {
  const worst = best.at(-1)
  if (best.length >= mostMentions && worst && one.score <= worst.score) return
  const place = best.findIndex(({ score }) => score < one.score)
  best.splice(place < 0 ? best.length : place, 0, one)
  if (best.length > mostMentions) best.pop()
}
