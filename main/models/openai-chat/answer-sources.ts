// Sources of an answer that was searched for on the web: `search_results` and `citations` (Perplexity), `annotations` of the form
// `url_citation` (OpenAI, OpenRouter). Those that name no range of the text belong to the whole answer.
import type { Citation } from '#app/chat/message.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import { defined } from '#app/or-else.ts'

const MOST = 100
const LONGEST_QUOTE = 2000

/** Collects the sources of one answer; the same address once. */
export function createAnswerSources() {
  const byUrl = new Map<string, Citation>()

  function add(found: JsonObject, source: JsonObject): void {
    const url = found['url']
    if (typeof url !== 'string' || !/^https?:\/\//.test(url) || (byUrl.size >= MOST && !byUrl.has(url))) return
    const known = byUrl.get(url)
    const title = textOf(found['title']) ?? known?.title
    const quote = (textOf(found['content']) ?? textOf(found['snippet']) ?? known?.quote ?? '').slice(0, LONGEST_QUOTE).toWellFormed()
    byUrl.set(url, { start: 0, end: 0, url, ...defined({ title }), quote, source })
  }

  return {
    /** `delta`: the delta or message of the chunk's choice. */
    take(chunk: JsonObject, delta: JsonObject): void {
      for (const one of listOf(chunk['citations'])) if (typeof one === 'string') add({ url: one }, { type: 'citation', url: one })
      for (const one of listOf(chunk['search_results'])) if (isJsonObject(one)) add(one, { type: 'search_result', ...one })
      for (const one of listOf(delta['annotations'])) {
        const cited = isJsonObject(one) ? one['url_citation'] : undefined
        if (isJsonObject(cited)) add(cited, one as JsonObject)
      }
    },
    all: (): readonly Citation[] => [...byUrl.values()],
  }
}

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])
const textOf = (value: Json | undefined): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
