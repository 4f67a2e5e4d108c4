// Sources of an answer: `search_results` and `citations` of the web (Perplexity), `annotations` of the form `url_citation` (OpenAI,
// OpenRouter), `reference` parts (Mistral: numbers of documents that a tool gave). Those that name no range belong to the whole answer.
import type { Citation } from '#app/chat/message.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import { defined } from '#app/or-else.ts'

const MOST = 100
const LONGEST_QUOTE = 2000

/** Collects the sources of one answer; the same address once. */
export function createAnswerSources() {
  const byUrl = new Map<string, Citation>()
  const references = new Map<string, Citation>()

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
      for (const part of listOf(delta['content'])) {
        if (!isJsonObject(part) || part['type'] !== 'reference') continue
        for (const id of listOf(part['reference_ids']).map(String))
          if (references.size < MOST)
            references.set(id, { start: 0, end: 0, title: t`Document ${id} of a tool’s result`, quote: '', source: part })
      }
      for (const one of listOf(delta['annotations'])) {
        const cited = isJsonObject(one) ? one['url_citation'] : undefined
        if (isJsonObject(cited)) add(cited, one as JsonObject)
      }
    },
    all: (): readonly Citation[] => [...byUrl.values(), ...references.values()],
  }
}

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])
const textOf = (value: Json | undefined): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
