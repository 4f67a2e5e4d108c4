// Which tools the person's words name. A tool counts when its name is (nearly) all there; its title, description and
// server only decide between tools that are equally close.
import type { ModelTool } from '../provider.ts'
import { wordsOf } from './words.ts'

export interface Match {
  readonly tool: ModelTool
  /** How much of the tool's name is in the words, 0–1. */
  readonly coverage: number
  /** The words of its name that are there. */
  readonly hits: ReadonlySet<string>
  readonly score: number
}

const ENOUGH = 0.6
const MOST = 3

/** `<server>__<tool>`: what qualifies it, and what it is called. */
export function splitName(modelName: string): { readonly server: string; readonly tool: string } {
  const at = modelName.indexOf('__')
  return at < 0 ? { server: '', tool: modelName } : { server: modelName.slice(0, at), tool: modelName.slice(at + 2) }
}

export function matchTool(words: ReadonlySet<string>, tool: ModelTool): Match {
  const { server, tool: plain } = splitName(tool.name)
  const name = new Set(wordsOf(plain))
  const hits = new Set([...name].filter((word) => words.has(word)))
  const also = (text: string): number => new Set(wordsOf(text).filter((word) => words.has(word) && !hits.has(word))).size
  return {
    tool,
    coverage: name.size === 0 ? 0 : hits.size / name.size,
    hits,
    score: hits.size * 3 + also(tool.title ?? '') * 2 + also(server) * 2 + also(tool.description),
  }
}

/**
 * The tools to call for these words, the best first: one, or several where each is named whole and brings a word that
 * the others do not ("list … and add up …").
 */
export function matchTools(text: string, tools: readonly ModelTool[]): readonly Match[] {
  const words = new Set(wordsOf(text))
  const ranked = tools
    .map((tool) => matchTool(words, tool))
    .filter((match) => match.coverage >= ENOUGH)
    .sort((a, b) => b.coverage - a.coverage || b.score - a.score)
  const picked: Match[] = []
  const said = new Set<string>()
  for (const match of ranked) {
    const brings = [...match.hits].some((word) => !said.has(word))
    if (picked.length > 0 && (match.coverage < 1 || !brings)) continue
    picked.push(match)
    for (const word of match.hits) said.add(word)
    if (picked.length === MOST) break
  }
  // In the order of the text, as the person would expect them to run.
  const order = wordsOf(text)
  const place = (match: Match): number => Math.min(...[...match.hits].map((word) => order.indexOf(word)))
  return picked.sort((a, b) => place(a) - place(b))
}
