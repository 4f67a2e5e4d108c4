// A JSON schema as lines, one for each place in it that says something, so that two of them can be compared. Pure. Every
// keyword is in some line; texts stand in quotes with their line ends spelled out, so that none can pass for a line.
import { canonicalJson } from '#app/canonical-json.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import { t } from '#app/words/translate.ts'

export interface SchemaLine {
  /** `edits[].path`; empty: the schema as a whole. */
  readonly place: string
  /** The whole line; it begins with the place. */
  readonly text: string
}

const byNameOf = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'] as const
const listsOf = ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const
const singles = ['items', 'additionalProperties', 'contains', 'not', 'if', 'then', 'else', 'propertyNames'] as const
const structural: ReadonlySet<string> = new Set([...byNameOf, ...listsOf, ...singles])

/** A name that could be taken for something else stands in quotes. */
export const plainName = (name: string): string => (/^[\w$-]+$/.test(name) ? name : JSON.stringify(name))

/** In the order of their places, so that the order in which a server writes them says nothing. */
export function schemaLines(schema: JsonObject): SchemaLine[] {
  const lines: SchemaLine[] = []
  walk(schema, '', undefined, lines)
  return lines.sort((a, b) => (a.place < b.place ? -1 : a.place > b.place ? 1 : 0))
}

/** `needed`: of a property, whether it has to be there. */
function walk(schema: Json, place: string, needed: boolean | undefined, lines: SchemaLine[]): void {
  const facts: string[] = []
  const within: (() => void)[] = []
  const enter = (child: Json, at: string, must?: boolean): void => void within.push(() => walk(child, at, must, lines))
  if (isJsonObject(schema)) {
    const required = namesIn(schema['required'])
    const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
    facts.push(...wordsOf(schema, required, properties))
    for (const key of byNameOf) {
      const children = schema[key]
      if (!isJsonObject(children)) continue
      for (const [name, child] of Object.entries(children))
        if (key === 'properties') enter(child, place === '' ? plainName(name) : `${place}.${plainName(name)}`, required.has(name))
        else enter(child, `${place}(${key} ${plainName(name)})`)
    }
    for (const key of listsOf) {
      const children = schema[key]
      if (Array.isArray(children)) for (const [index, child] of children.entries()) enter(child as Json, `${place}(${key} ${index + 1})`)
    }
    for (const key of singles) {
      const child = schema[key]
      if (isJsonObject(child)) enter(child, key === 'items' ? `${place}[]` : `${place}(${key})`)
    }
  } else facts.push(schema === true ? t`anything` : schema === false ? t`nothing` : canonicalJson(schema))
  if (needed) facts.splice(1, 0, t`needed`)
  const text = [place, facts.join(', ')].filter(Boolean).join('  ')
  if (place !== '' || facts.length > 0) lines.push({ place, text })
  for (const go of within) go()
}

/** Type and choices first, what it is for last; between them every keyword that has no lines of its own, by its name. */
function wordsOf(schema: JsonObject, required: ReadonlySet<string>, properties: JsonObject): string[] {
  const { type, description } = schema
  const plain =
    typeof type === 'string' ? type : Array.isArray(type) && type.every((one) => typeof one === 'string') ? type.join(' or ') : undefined
  const words = plain === undefined ? [] : [plain]
  const rest = Object.keys(schema)
    .filter((key) => key !== 'description' && key !== 'required' && !(key === 'type' && plain !== undefined))
    .filter((key) => !structural.has(key) || !isWalked(key, schema[key]))
    .sort(byCodeUnit)
  for (const key of rest) words.push(`${plainName(key)} ${canonicalJson(schema[key] ?? null)}`)
  const unlisted = [...required].filter((name) => !Object.hasOwn(properties, name)).sort(byCodeUnit)
  if (unlisted.length > 0) words.push(t`required ${JSON.stringify(unlisted)}`)
  if (schema['required'] !== undefined && !isNames(schema['required'])) words.push(t`required ${canonicalJson(schema['required'])}`)
  if (description !== undefined) words.push(canonicalJson(description))
  return words
}

const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : 1)

const isWalked = (key: string, value: Json | undefined): boolean =>
  (listsOf as readonly string[]).includes(key) ? Array.isArray(value) : isJsonObject(value)

const isNames = (value: Json | undefined): boolean => Array.isArray(value) && value.every((name) => typeof name === 'string')
const namesIn = (value: Json | undefined): ReadonlySet<string> => new Set(isNames(value) ? (value as readonly string[]) : [])
