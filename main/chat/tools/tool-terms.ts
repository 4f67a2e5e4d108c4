// A tool as the index sees it: its terms, each with how much it says. Kept for as long as the entry lives, so that a server
// that comes or goes costs only its own tools.
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'
import type { OfferedTool } from '#main/servers/types.ts'
import { termsOf } from './words.ts'

export interface ToolTerms {
  /** The terms of its name, each once. */
  readonly name: readonly string[]
  readonly frequencies: ReadonlyMap<string, number>
}

interface Field {
  readonly weight: number
  /** Terms that such a field usually has; a longer one counts less a term. */
  readonly usual: number
}

const fields = {
  name: { weight: 3, usual: 3 },
  title: { weight: 2, usual: 3 },
  server: { weight: 2.5, usual: 1 },
  first: { weight: 2, usual: 8 },
  description: { weight: 1, usual: 20 },
  parameters: { weight: 0.7, usual: 6 },
  parameterWords: { weight: 0.35, usual: 40 },
} as const satisfies Record<string, Field>

/** How much the length of a field counts. */
const LENGTH = 0.6
/** Characters of a description, and properties of a schema, that are looked at. */
const LONGEST_DESCRIPTION = 4000
const MOST_PARAMETERS = 60

const known = new WeakMap<ToolEntry, { readonly server: string; readonly terms: ToolTerms }>()

export function toolTerms({ server, tool }: OfferedTool): ToolTerms {
  const before = known.get(tool)
  if (before?.server === server) return before.terms
  const terms = readTerms(server, tool)
  known.set(tool, { server, terms })
  return terms
}

function readTerms(server: string, tool: ToolEntry): ToolTerms {
  const frequencies = new Map<string, number>()
  const add = (text: string, { weight, usual }: Field): readonly string[] => {
    const terms = termsOf(text)
    const worth = weight / (1 - LENGTH + LENGTH * Math.max(1, terms.length / usual))
    for (const term of terms) frequencies.set(term, (frequencies.get(term) ?? 0) + worth)
    return terms
  }
  const description = (tool.description ?? '').slice(0, LONGEST_DESCRIPTION)
  const end = /[.!?\n]/.exec(description)?.index ?? description.length
  const { names, words } = parametersOf(tool.inputSchema)
  const name = add(tool.name, fields.name)
  add(tool.title ?? tool.annotations?.title ?? '', fields.title)
  add(server, fields.server)
  add(description.slice(0, end), fields.first)
  add(description.slice(end), fields.description)
  add(names.join(' '), fields.parameters)
  add(words.join(' '), fields.parameterWords)
  return { name: [...new Set(name)], frequencies }
}

function parametersOf(schema: JsonObject): { readonly names: readonly string[]; readonly words: readonly string[] } {
  const properties = schema['properties']
  if (!isJsonObject(properties)) return { names: [], words: [] }
  const entries = Object.entries(properties).slice(0, MOST_PARAMETERS)
  return { names: entries.map(([name]) => name), words: entries.flatMap(([, property]) => wordsOf(property)) }
}

/** What a parameter says of itself, and the words that it takes. */
function wordsOf(property: Json): readonly string[] {
  if (!isJsonObject(property)) return []
  const { description, title, enum: choices, items } = property
  const texts = [description, title, ...(Array.isArray(choices) ? (choices as readonly Json[]).slice(0, 20) : [])]
  const own = texts.flatMap((text) => (typeof text === 'string' ? [text.slice(0, 500)] : []))
  return isJsonObject(items) ? [...own, ...wordsOf(items)] : own
}
