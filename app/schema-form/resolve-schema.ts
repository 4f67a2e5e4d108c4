// Resolves references and `allOf` of a schema into one, as far as a form needs it (JSON Schema 2020-12, core 8.2.3 and 10.2.1.1).
// Only the document's own parts are looked up; nothing is fetched. Bounded, since a server wrote the schema. Pure.
import { canonicalToolJson } from '../canonical-json.ts'
import { t } from '../i18n/translate.ts'
import { isJsonObject, type Json, type JsonObject, valueAtPlace } from '../json.ts'
import { orElse } from '../or-else.ts'

const jsonTypes = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'] as const
export type JsonType = (typeof jsonTypes)[number]

export const jsonTypeLabels = (): Readonly<Record<JsonType, string>> => ({
  string: 'text',
  number: t`a number`,
  integer: t`a whole number`,
  boolean: t`yes or no`,
  array: t`list`,
  object: t`object`,
  null: t`nothing (null)`,
})

export const isJsonType = (name: Json | undefined): name is JsonType => (jsonTypes as readonly unknown[]).includes(name)

export function isOfType(value: Json, type: JsonType): boolean {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'array') return Array.isArray(value)
  if (type === 'null') return value === null
  return type === 'object' ? isJsonObject(value) : typeof value === type
}

/** Types of a schema: declared, or implied by its keywords. Empty: any. */
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

/** `false`: nothing is valid. Undefined: a form cannot show it. */
type Resolved = JsonObject | false | undefined

/** Most references and merges for one part. */
const MOST_STEPS = 64

export const resolveSchema = (schema: Json | undefined, root: JsonObject): Resolved => step(schema, root, { left: MOST_STEPS })

function step(schema: Json | undefined, root: JsonObject, state: { left: number }): Resolved {
  if (schema === true || schema === undefined) return {}
  if (schema === false) return false
  if (!isJsonObject(schema)) return undefined
  const { $ref, $dynamicRef, $recursiveRef, allOf, ...own } = schema
  const reference = $ref ?? $dynamicRef ?? $recursiveRef
  if (reference === undefined && allOf === undefined) return schema
  let merged: Resolved = own
  const target = typeof reference === 'string' ? schemaAtReference(reference, root) : undefined
  if ((reference !== undefined && target === undefined) || (allOf !== undefined && !Array.isArray(allOf))) return undefined
  for (const part of [...(target === undefined ? [] : [target]), ...((allOf ?? []) as readonly Json[])]) {
    state.left -= 1
    if (state.left < 0) return undefined
    const other = step(part, root, state)
    if (other === undefined || other === false) return other
    merged = merge(merged, other)
    if (!merged) return merged
  }
  return merged
}

/** Resolves a local reference: `#`, a JSON Pointer, an anchor or a `$id` of the definitions. */
export function schemaAtReference(reference: string, root: JsonObject): Json | undefined {
  if (reference === '#' || reference === '') return root
  if (!reference.startsWith('#/')) {
    return Object.values({ ...objectOf(root['definitions']), ...objectOf(root['$defs']) }).find(
      (one) => isJsonObject(one) && (one['$id'] === reference || `#${String(one['$anchor'] ?? one['$dynamicAnchor'] ?? '')}` === reference),
    )
  }
  const pointer = reference.slice(1)
  return valueAtPlace(
    root,
    orElse(() => decodeURIComponent(pointer), pointer),
  )
}

const objectOf = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {})

/** Keywords of which the first counts: annotations, and rules that only the check applies. */
const firstCounts =
  /^(?:title|description|default|examples|deprecated|readOnly|writeOnly|format|pattern|not|if|then|else|multipleOf|contains|propertyNames|dependentRequired|dependentSchemas|\$schema|\$id|\$anchor|\$dynamicAnchor|\$comment|\$defs|definitions|enumNames)$/
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

function mergeKey(key: string, a: Json, b: Json): { readonly value: Json } | false | undefined {
  if (firstCounts.test(key)) return { value: a }
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

const bothOf = (a: Json | undefined, b: Json): Json =>
  a === undefined || a === true ? b : b === true ? a : a === false || b === false ? false : { allOf: [a, b] }

const listOf = (value: Json): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : [value])

function commonTypes(a: readonly Json[], b: readonly Json[]): Json[] {
  const common = a.filter((one) => b.includes(one))
  const whole = (one: readonly Json[], other: readonly Json[]): boolean => one.includes('integer') && other.includes('number')
  return !common.includes('integer') && (whole(a, b) || whole(b, a)) ? [...common.filter((one) => one !== 'number'), 'integer'] : common
}
