// Search for mentions in the catalogues of all servers. Catalogues can hold tens of thousands of entries, so the event loop gets a
// turn every few thousand, and a later search of the same kind cancels an earlier one.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Catalogue } from '#app/server/catalogue.ts'
import { type FoundMentions, type Mention, mostMentions } from '#app/server/mentions.ts'
import { fuzzyMatch } from '#app/text/fuzzy-match.ts'
import type { Servers } from '#main/servers/lifecycle/servers.ts'

type MentionKind = 'resource' | 'prompt'

const AT_ONCE = 4000

type Scored = { readonly mention: Mention; readonly score: number }

/** Returns a search. @throws {HostError} `cancelled` when a later one of its kind began */
export function createFindMentions(servers: Pick<Servers, 'views' | 'catalogue'>) {
  const latest: Record<MentionKind, number> = { resource: 0, prompt: 0 }
  return async (kind: MentionKind, text: string): Promise<FoundMentions> => {
    const own = ++latest[kind]
    const best: Scored[] = []
    const unknown: string[] = []
    let found = 0
    let looked = 0
    for (const { name: server, state } of servers.views()) {
      if (state.kind === 'disabled') continue
      const catalogue = servers.catalogue(server)
      if (catalogue.fetchedAt === undefined) unknown.push(server)
      for (const mention of mentionsOf(kind, server, catalogue)) {
        if (++looked % AT_ONCE === 0) await nextTurn()
        if (latest[kind] !== own) throw new HostError('cancelled', t`It was cancelled.`)
        const score = scoreOf(text, mention)
        if (score === undefined) continue
        found += 1
        keepBest(best, { mention, score })
      }
    }
    return { offers: best.map(({ mention }) => mention), found, unknown }
  }
}

function* mentionsOf(kind: MentionKind, server: string, { resources, resourceTemplates, prompts }: Catalogue): Iterable<Mention> {
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

/** Scores the name, and 3 points lower the title, the address and the server's name. */
function scoreOf(text: string, mention: Mention): number | undefined {
  const { server, name, title = '' } = mention
  const address = mention.kind === 'resource' ? mention.uri : mention.kind === 'template' ? mention.uriTemplate : ''
  const scores = [name, title, address, `${server} ${name}`].flatMap((candidate, index) => {
    const score = fuzzyMatch(text, candidate)?.score
    return score === undefined ? [] : [index === 0 ? score : score - 3]
  })
  return scores.length === 0 ? undefined : Math.max(...scores)
}

/** Inserts by score, the earlier of two equals first; keeps no more than are shown. */
function keepBest(best: Scored[], one: Scored): void {
  const worst = best.at(-1)
  if (best.length >= mostMentions && worst && one.score <= worst.score) return
  const place = best.findIndex(({ score }) => score < one.score)
  best.splice(place < 0 ? best.length : place, 0, one)
  if (best.length > mostMentions) best.pop()
}
