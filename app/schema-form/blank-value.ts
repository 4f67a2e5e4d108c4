// Initial value of a form part: the schema's default, else the least that its type allows.
import { isJsonObject, type Json, type JsonObject } from '../json.ts'
import { enumChoicesOf, membersOf } from './form-controls.ts'
import { resolveSchema, typesOf } from './resolve-schema.ts'

const DEEPEST = 8
const MOST_ITEMS = 20
/** Longest default as JSON; a longer one is not copied into lists. */
const LONGEST_DEFAULT = 10_000

export function blankFor(schema: Json | undefined, root: JsonObject, depth = 0): Json {
  const resolved = resolveSchema(schema, root)
  if (!resolved || depth > DEEPEST) return null
  const proposed = resolved['default']
  if (proposed !== undefined && JSON.stringify(proposed).length <= LONGEST_DEFAULT) return proposed
  if (resolved['const'] !== undefined) return resolved['const']
  const [choice] = enumChoicesOf(resolved) ?? []
  if (choice) return choice.value
  const variants = resolved['oneOf'] ?? resolved['anyOf']
  if (Array.isArray(variants) && variants[0] !== undefined) {
    const { oneOf: _, anyOf: _anyOf, ...around } = resolved
    return blankFor({ allOf: [variants[0] as Json, around] }, root, depth + 1)
  }
  const [type] = typesOf(resolved)
  if (type === 'number' || type === 'integer') return leastNumber(resolved)
  if (type === 'boolean') return false
  if (type === 'null') return null
  if (type === 'array') return blankItems(resolved).map((item) => blankFor(item, root, depth + 2))
  if (type !== 'object') return ''
  const needed = membersOf(resolved, {}).filter((member) => member.needed)
  return Object.fromEntries(needed.map((member) => [member.name, blankFor(member.schema, root, depth + 1)]))
}

function blankItems({ minItems, items, prefixItems }: JsonObject): readonly Json[] {
  const first: readonly Json[] = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : []
  const count = Math.min(MOST_ITEMS, typeof minItems === 'number' ? minItems : 0)
  const more = Array.from({ length: Math.max(0, count - first.length) }, () => (Array.isArray(items) ? true : (items ?? true)))
  return [...first.slice(0, MOST_ITEMS), ...more]
}

function leastNumber({ minimum, exclusiveMinimum, maximum }: JsonObject): number {
  if (typeof minimum === 'number') return minimum
  if (typeof exclusiveMinimum === 'number') return Math.floor(exclusiveMinimum) + 1
  return typeof maximum === 'number' && maximum < 0 ? maximum : 0
}

/** Converts a value to another form; members that both have are kept. */
export function inOtherForm(value: Json, schema: Json, root: JsonObject): Json {
  const blank = blankFor(schema, root)
  const resolved = resolveSchema(schema, root)
  if (!isJsonObject(blank) || !isJsonObject(value) || !isJsonObject(resolved)) return blank
  const shared = membersOf(resolved, {}).filter(({ name, known }) => known && Object.hasOwn(value, name))
  const kept = shared.filter(({ schema: own }) => {
    const member = resolveSchema(own, root)
    return isJsonObject(member) && member['const'] === undefined && !Array.isArray(member['enum'])
  })
  return { ...blank, ...Object.fromEntries(kept.map(({ name }) => [name, value[name] ?? null])) }
}

/** Sets or removes a member; the others keep their order. */
export function withMember(value: JsonObject, name: string, next: Json | undefined): JsonObject {
  if (next !== undefined) return { ...value, [name]: next }
  return Object.fromEntries(Object.entries(value).filter(([own]) => own !== name))
}
