// One schema out of what a schema says by reference and by `allOf` (JSON Schema 2020-12, core 8.2.3 and 10.2.1.1), as far as a
// form needs it. Only the document's own parts are looked up; nothing is fetched. What cannot be merged is undefined, and a
// form writes that part as JSON. Pure; the work is bounded, since a server wrote the schema. Which types a value may have by a
// schema, and which it has.

import { canonicalToolJson } from '../canonical-json.ts'
import { t } from '../i18n/translate.ts'
import { isJsonObject, type Json, type JsonObject } from '../json.ts'

const jsonTypes = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'] as const
export type JsonType = (typeof jsonTypes)[number]

export const jsonTypeLabels = (): Readonly<Record<JsonType, string>> => ({
  string: 'text',
  number: t`a number`,
  integer: t`a whole number`,
  boolean: t`yes or no`,
  array: t`a list`,
  object: t`an object`,
  null: t`nothing (null)`,
})

export const isJsonType = (name: Json | undefined): name is JsonType => (jsonTypes as readonly unknown[]).includes(name)

export function isOfType(value: Json, type: JsonType): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value)
    case 'array':
      return Array.isArray(value)
    case 'null':
      return value === null
    case 'object':
      return isJsonObject(value)
    default:
      return typeof value === type
  }
}

/** What it says, or what its other keywords can only mean. Empty: anything. */
export function typesOf(schema: JsonObject): readonly JsonType[] {
  const { type } = schema
  if (Array.isArray(type)) return (type as readonly Json[]).filter(isJsonType)
  if (isJsonType(type)) return [type]
  const meant = (names: readonly string[]): boolean => names.some((name) => schema[name] !== undefined)
  if (meant(['properties', 'required', 'patternProperties', 'minProperties', 'propertyNames'])) return ['object']
  if (meant(['items', 'prefixItems', 'minItems', 'uniqueItems'])) return ['array']
  if (meant(['pattern', 'minLength', 'maxLength'])) return ['string']
  if (meant(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'])) return ['number']
  return []
}

/** `false`: nothing fits it. Undefined: it is none that a form can show. */
type Resolved = JsonObject | false | undefined

/** References and merges on the way to one part. */
const MOST_STEPS = 64

export function resolveSchema(schema: Json | undefined, root: JsonObject): Resolved {
  const state = { left: MOST_STEPS }
  return step(schema, root, state)
}

function step(schema: Json | undefined, root: JsonObject, state: { left: number }): Resolved {
  if (schema === true || schema === undefined) return {}
  if (schema === false) return false
  if (!isJsonObject(schema)) return undefined
  const { $ref, $dynamicRef, $recursiveRef, allOf, ...own } = schema
  const reference = $ref ?? $dynamicRef ?? $recursiveRef
  if (reference === undefined && allOf === undefined) return schema
  let merged: Resolved = own
  const parts: (Json | undefined)[] = []
  if (reference !== undefined) {
    const target = typeof reference === 'string' ? schemaAtReference(reference, root) : undefined
    if (target === undefined) return undefined
    parts.push(target)
  }
  if (allOf !== undefined) {
    if (!Array.isArray(allOf)) return undefined
    parts.push(...(allOf as readonly Json[]))
  }
  for (const part of parts) {
    state.left -= 1
    if (state.left < 0) return undefined
    const other = step(part, root, state)
    if (other === undefined || other === false) return other
    merged = merge(merged, other)
    if (!merged) return merged
  }
  return merged
}

/** What a local reference names: `#`, a JSON Pointer, or an anchor or `$id` among the definitions. */
export function schemaAtReference(reference: string, root: JsonObject): Json | undefined {
  if (reference === '#' || reference === '') return root
  if (!reference.startsWith('#/')) {
    return Object.values({ ...objectOf(root['definitions']), ...objectOf(root['$defs']) }).find(
      (one) => isJsonObject(one) && (one['$id'] === reference || `#${String(one['$anchor'] ?? one['$dynamicAnchor'] ?? '')}` === reference),
    )
  }
  let at: Json | undefined = root
  for (const part of decoded(reference.slice(2)).split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(at)) at = (at as readonly Json[])[Number(name)]
    else if (isJsonObject(at) && Object.hasOwn(at, name)) at = at[name]
    else return undefined
  }
  return at
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // A stray percent sign: taken as it is.
  }
}

const objectOf = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {})

/** Said about a part, or checked elsewhere: where two say it the first counts for the form. */
const firstCounts: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'format',
  'pattern',
  'not',
  'if',
  'then',
  'else',
  'multipleOf',
  'contains',
  'propertyNames',
  'dependentRequired',
  'dependentSchemas',
  '$schema',
  '$id',
  '$anchor',
  '$dynamicAnchor',
  '$comment',
  '$defs',
  'definitions',
  'enumNames',
])
const least: ReadonlySet<string> = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'])
const most: ReadonlySet<string> = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'])

function merge(a: JsonObject, b: JsonObject): Resolved {
  const merged = new Map<string, Json>(Object.entries(a))
  for (const [key, value] of Object.entries(b)) {
    const before = merged.get(key)
    if (before === undefined) merged.set(key, value)
    else {
      const both = mergeKey(key, before, value)
      if (both === undefined || both === false) return both
      merged.set(key, both.value)
    }
  }
  return Object.fromEntries(merged)
}

/** Both of what is said under one keyword; false: nothing fits both. */
function mergeKey(key: string, a: Json, b: Json): { readonly value: Json } | false | undefined {
  if (firstCounts.has(key)) return { value: a }
  if (least.has(key) && typeof a === 'number' && typeof b === 'number') return { value: Math.max(a, b) }
  if (most.has(key) && typeof a === 'number' && typeof b === 'number') return { value: Math.min(a, b) }
  switch (key) {
    case 'type': {
      const types = commonTypes(listOf(a), listOf(b))
      return types.length === 0 ? false : { value: types.length === 1 ? (types[0] ?? null) : types }
    }
    case 'required':
      return { value: [...new Set([...listOf(a), ...listOf(b)])] }
    case 'enum': {
      const known = new Set(listOf(b).map((one) => canonicalToolJson(one)))
      const common = listOf(a).filter((one) => known.has(canonicalToolJson(one)))
      return common.length === 0 ? false : { value: common }
    }
    case 'properties': {
      const [first, second] = [objectOf(a), objectOf(b)]
      const shared = Object.entries(second).map(([name, one]) => [name, bothOf(Object.hasOwn(first, name) ? first[name] : undefined, one)])
      return { value: { ...first, ...(Object.fromEntries(shared) as JsonObject) } }
    }
    case 'items':
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return { value: bothOf(a, b) }
    case 'uniqueItems':
      return { value: a === true || b === true }
    default:
      return canonicalToolJson(a) === canonicalToolJson(b) ? { value: a } : undefined
  }
}

/** Resolved when it is looked at. */
const bothOf = (a: Json | undefined, b: Json): Json =>
  a === undefined || a === true ? b : b === true ? a : a === false || b === false ? false : { allOf: [a, b] }

const listOf = (value: Json): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : [value])

function commonTypes(a: readonly Json[], b: readonly Json[]): Json[] {
  const common = a.filter((one) => b.includes(one))
  const whole = (one: readonly Json[], other: readonly Json[]): boolean => one.includes('integer') && other.includes('number')
  return !common.includes('integer') && (whole(a, b) || whole(b, a)) ? [...common.filter((one) => one !== 'number'), 'integer'] : common
}
