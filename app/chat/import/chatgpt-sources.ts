// What an answer of ChatGPT's rests on. Its text has marks for it in characters of private use, which nobody can read:
// U+E200, a kind, U+E202 before each argument, U+E201; `content_references` beside the message says what each stands for.
// They become links in the text, or the words that they stand for. What nothing is known of goes.
import { isJsonObject, type JsonObject } from '../../json.ts'
import { linkTo, objects, textOf } from './imported.ts'

const MARK = /[ \t]?\ue200([^\ue200-\ue202]*)((?:\ue202[^\ue200\ue201]*)*)\ue201/g
/** Around what is cited, and hidden ones. */
const LONE = /[\ue200-\ue206]/g
/** Of the years before, with its place in code points beside it. */
const OLD_MARK = /^【[^】]*】$/

export function withSources(text: string, metadata: JsonObject): string {
  const links = linksOf(text, metadata)
  let linked = text
  for (const [mark, words] of links) if (!mark.startsWith('\ue200')) linked = linked.replaceAll(mark, () => words)
  return linked
    .replace(
      MARK,
      (found, kind: string, rest: string) => links.get(found.trimStart()) ?? wordsOf(kind, rest.split('\ue202').slice(1), found),
    )
    .replace(LONE, '')
}

/** By mark: the words in its place. */
function linksOf(text: string, metadata: JsonObject): Map<string, string> {
  const links = new Map<string, string>()
  for (const reference of objects(metadata['content_references'])) {
    const mark = textOf(reference['matched_text'])
    if (!mark.startsWith('\ue200') && !OLD_MARK.test(mark)) continue
    const words = wordsFor(reference)
    if (words !== '') links.set(mark, ` (${words})`)
  }
  const citations = objects(metadata['citations'])
  const points = citations.length > 0 ? [...text] : []
  for (const citation of citations) {
    const [start, end, about] = [citation['start_ix'], citation['end_ix'], citation['metadata']]
    if (typeof start !== 'number' || typeof end !== 'number' || !isJsonObject(about)) continue
    const mark = points.slice(start, end).join('')
    const words = wordsFor(about)
    if (OLD_MARK.test(mark) && !links.has(mark) && words !== '') links.set(mark, ` (${words})`)
  }
  return links
}

/** Links to what it names; of a file its name. */
function wordsFor(reference: JsonObject): string {
  const items = objects(reference['items']).flatMap((item) => [item, ...objects(item['supporting_websites'])])
  const found = [...items, reference].flatMap((item) => linkTo(item['url'], textOf(item['attribution']) || textOf(item['title'])) ?? [])
  if (found.length > 0) return [...new Set(found)].join(', ')
  const urls = Array.isArray(reference['safe_urls']) ? reference['safe_urls'].flatMap((url) => linkTo(url, '') ?? []) : []
  return urls.length > 0 ? urls.join(', ') : textOf(reference['name']).trim()
}

/** Of one that nothing is said about: what it says itself, with the blank before it. */
function wordsOf(kind: string, args: readonly string[], found: string): string {
  const words = kind === 'entity' ? entityName(args[0] ?? '') : kind === 'url' || kind === 'link_title' ? (args[0] ?? '') : ''
  return words === '' ? '' : `${found.startsWith('\ue200') ? '' : found.slice(0, 1)}${words}`
}

/** `["people","Ada Lovelace",0]`. */
function entityName(text: string): string {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? textOf(value[1]) : ''
  } catch {
    return ''
  }
}
