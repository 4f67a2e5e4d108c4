// A thousand tools and more: what a request costs beside sending all of their definitions, and whether the tool that a
// labelled request needs is in reach, in what goes along with the person's message or in the answer to one search of the
// model. Both run the host's own code. The ranking was tuned on one half of the requests; the other half is reported by
// itself. Whoever wrote the requests also wrote the catalogue, so the searches are tried once more without the word that
// says most.
import { definitionTokens, toolBudget } from '#app/chat/tools/tool-switches.ts'
import { defaultSettings } from '#app/settings.ts'
import { estimateTokens } from '#app/text/format-text.ts'
import { answerOf, findToolsTool, MOST_FOUND } from '#main/chat/builtin-tools/builtin-tools.ts'
import { searchTerms } from '#main/chat/tools/synonyms.ts'
import { createToolIndex, pickTools, type ToolIndex, toolTokensOf } from '#main/chat/tools/tool-choice.ts'
import type { OfferedTool } from '../main/servers/client/requests/running-calls.ts'
import { readCatalogue } from './many-tools/catalogue.ts'
import { type LabelledRequest, readRequests } from './many-tools/requests.ts'
import { percentile, ratio, summarise } from './statistics.ts'

const promised = { tokensRatio: 0.05, reach: 0.95 }
/** As most models of today have. */
const contextTokens = 200_000

/** Of one request. */
interface Outcome {
  readonly message: boolean
  readonly search: boolean
  readonly both: boolean
  /** Searches without the word that is rarest among the tools. */
  readonly roughSearch: boolean
  readonly tokens: number
}

export async function benchManyTools(): Promise<Record<string, unknown>> {
  const tools = await readCatalogue()
  const beginning = performance.now()
  const index = createToolIndex(tools)
  const indexMs = performance.now() - beginning
  const requests = readRequests(new Set(tools.map(({ tool }) => tool.name)))
  const all = toolTokensOf(tools)
  const budget = toolBudget(defaultSettings.toolShare, contextTokens)
  const servers = [...new Set(tools.map(({ server }) => server))]
  const searchTool = definitionTokens(
    findToolsTool.name,
    `${findToolsTool.description} Servers: ${servers.join(', ')}.`,
    findToolsTool.inputSchema,
  )
  const times: number[] = []
  const rank = (text: string, limit: number): ReturnType<ToolIndex['rank']> => {
    const before = performance.now()
    const ranked = index.rank(text, limit)
    times.push(performance.now() - before)
    return ranked
  }
  const allowed = new Map(tools.map((one) => [one.tool.modelName, one]))

  function outcomeOf({ message, needs }: LabelledRequest): Outcome {
    const picked = pickTools(rank(message, 64), allowed, budget)
    const found = needs.map(({ query }) => rank(query, MOST_FOUND).map(({ offered }) => offered))
    const rough = needs.map(({ query }) => index.rank(withoutRarest(query, tools), MOST_FOUND).map(({ offered }) => offered))
    const inMessage = needs.map((need) => has(picked, need.tools))
    const inSearch = needs.map((need, at) => has(found[at] ?? [], need.tools))
    const sentAfter = new Set([...picked, ...(found[0] ?? [])])
    return {
      message: inMessage.every(Boolean),
      search: inSearch.every(Boolean),
      both: inMessage.every((reached, at) => reached || inSearch[at]),
      roughSearch: needs.every((need, at) => inMessage[at] || has(rough[at] ?? [], need.tools)),
      tokens: searchTool + toolTokensOf([...sentAfter]) + estimateTokens(answerOf(found[0]?.map(({ tool }) => tool) ?? [])),
    }
  }

  const outcomes = requests.map((request) => ({ request, outcome: outcomeOf(request) }))
  const tokens = outcomes.map(({ outcome }) => outcome.tokens)
  const half = (heldOut: boolean) => reachOf(outcomes.filter(({ request }) => request.heldOut === heldOut).map(({ outcome }) => outcome))
  return Promise.resolve({
    promised,
    tools: tools.length,
    servers: servers.length,
    tokens: {
      all,
      searchTool,
      // The search tool, what goes with the message, one answer of the search, and the definitions of what it found.
      median: percentile(tokens, 0.5),
      most: Math.max(...tokens),
      ratio: ratio(percentile(tokens, 0.5), all),
      worstRatio: ratio(Math.max(...tokens), all),
    },
    reach: { tuned: half(false), heldOut: half(true), all: reachOf(outcomes.map(({ outcome }) => outcome)) },
    unreached: outcomes.flatMap(({ request, outcome }) => (outcome.both ? [] : [request.message])),
    indexMs: Math.round(indexMs),
    ranking: summarise(times),
  })
}

const has = (tools: readonly OfferedTool[], names: readonly string[]): boolean => tools.some(({ tool }) => names.includes(tool.name))

function reachOf(outcomes: readonly Outcome[]): Record<string, number> {
  const share = (of: (outcome: Outcome) => boolean): number => ratio(outcomes.filter(of).length, outcomes.length)
  return {
    requests: outcomes.length,
    withMessage: share(({ message }) => message),
    withSearch: share(({ search }) => search),
    withEither: share(({ both }) => both),
    withEitherRough: share(({ roughSearch }) => roughSearch),
  }
}

const counts = new Map<string, number>()

/** The query without the word that stands in the fewest tools' names and descriptions. */
function withoutRarest(query: string, tools: readonly OfferedTool[]): string {
  if (counts.size === 0)
    for (const { server, tool } of tools)
      for (const term of new Set(searchTerms(`${server} ${tool.name} ${tool.description ?? ''}`)))
        counts.set(term, (counts.get(term) ?? 0) + 1)
  const words = query.split(' ')
  const commonness = (word: string): number => {
    const found = searchTerms(word).map((term) => counts.get(term) ?? 0)
    return found.length === 0 ? Number.POSITIVE_INFINITY : Math.min(...found)
  }
  const rarest = words.reduce((best, word) => (commonness(word) < commonness(best) ? word : best), words[0] ?? '')
  return words.filter((word) => word !== rarest).join(' ')
}
