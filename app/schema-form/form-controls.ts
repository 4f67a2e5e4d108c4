// The form control of each part of a value, chosen by the schema as long as the value fits its type. Anything else is edited as
// JSON, so that no part of a value is changed unseen or lost. Depth and counts are bounded, since a server wrote the schema. Pure.
import { canonicalToolJson } from '../canonical-json.ts'
import { safePattern } from '../consent/safe-pattern.ts'
import { t } from '../i18n/translate.ts'
import { isJsonObject, type Json, type JsonObject } from '../json.ts'
import { defined } from '../or-else.ts'
import { isOfType, type JsonType, resolveSchema, typesOf } from './resolve-schema.ts'

export interface EnumChoice {
  readonly value: Json
  readonly title?: string
}

/** Most choices of a control; more are edited as JSON. */
const MOST_CHOICES = 1000

/** Values of an `enum`, with `enumNames`, or of a list of titled constants; undefined: the schema is no enumeration. */
export function enumChoicesOf(schema: JsonObject): readonly EnumChoice[] | undefined {
  const listed = schema['enum']
  if (Array.isArray(listed)) {
    const names: readonly Json[] = Array.isArray(schema['enumNames']) ? schema['enumNames'] : []
    const choices = (listed as readonly Json[]).map((value, index) => choice(value, names[index]))
    return choices.length > 0 && choices.length <= MOST_CHOICES ? choices : undefined
  }
  const titled = schema['oneOf'] ?? schema['anyOf']
  if (!Array.isArray(titled) || titled.length === 0 || titled.length > MOST_CHOICES) return undefined
  const choices: EnumChoice[] = []
  for (const one of titled as readonly Json[]) {
    if (!isJsonObject(one) || one['const'] === undefined) return undefined
    if (Object.keys(one).some((key) => !['const', 'title', 'description', 'type', 'deprecated'].includes(key))) return undefined
    choices.push(choice(one['const'], one['title']))
  }
  return choices
}

const choice = (value: Json, title: Json | undefined): EnumChoice => ({
  value,
  ...(typeof title === 'string' && title !== value ? { title } : {}),
})

/** Index of a value among choices; -1: none. */
export const indexOfChoice = (choices: readonly EnumChoice[], value: Json): number => {
  const key = canonicalToolJson(value)
  return choices.findIndex((one) => canonicalToolJson(one.value) === key)
}

const MOST_NAMES = 200
const DEEPEST_BRANCH = 3

function bestFit(variants: readonly Json[], value: Json, root: JsonObject): number {
  const fits = variants.map((variant) => fitOf(variant, value, root, 0))
  const best = Math.max(...fits)
  return best < 0 ? -1 : fits.indexOf(best)
}

/** Score by types, constants and names; negative: it does not fit. */
function fitOf(schema: Json, value: Json, root: JsonObject, depth: number): number {
  const resolved = resolveSchema(schema, root)
  if (!resolved) return resolved === false ? -1 : 0
  const types = typesOf(resolved)
  if (types.length > 0 && !types.some((type) => isOfType(value, type))) return -1
  if (resolved['const'] !== undefined) return indexOfChoice([{ value: resolved['const'] }], value) === 0 ? 10 : -1
  const choices = enumChoicesOf(resolved)
  if (choices) return indexOfChoice(choices, value) >= 0 ? 5 : -1
  if (!isJsonObject(value) || depth >= DEEPEST_BRANCH) return 1
  const properties = isJsonObject(resolved['properties']) ? resolved['properties'] : {}
  const required: readonly Json[] = Array.isArray(resolved['required']) ? resolved['required'] : []
  let fit = 1
  for (const name of Object.keys(value).slice(0, MOST_NAMES)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (property === undefined) {
      if (resolved['additionalProperties'] === false) fit -= 2
      continue
    }
    const part = fitOf(property, value[name] ?? null, root, depth + 1)
    // A different constant marks a different form.
    if (part < 0 && isTelling(property, root)) return -1
    fit += part < 0 ? 0 : part
  }
  const missing = required.slice(0, MOST_NAMES).filter((name) => typeof name === 'string' && !Object.hasOwn(value, name)).length
  return Math.max(0, fit - missing * 2)
}

function isTelling(property: Json, root: JsonObject): boolean {
  const resolved = resolveSchema(property, root)
  return isJsonObject(resolved) && (resolved['const'] !== undefined || (Array.isArray(resolved['enum']) && resolved['enum'].length === 1))
}

export interface Member {
  readonly name: string
  readonly schema: Json
  readonly needed: boolean
  readonly known: boolean
}

export type Shape =
  | { readonly kind: 'text'; readonly format?: string }
  | { readonly kind: 'number' | 'boolean' | 'null' }
  | { readonly kind: 'fixed'; readonly value: Json }
  | { readonly kind: 'choice'; readonly choices: readonly EnumChoice[] }
  | { readonly kind: 'several'; readonly choices: readonly EnumChoice[] }
  /** `more`: schema of additional members; undefined: none allowed. */
  | { readonly kind: 'object'; readonly members: readonly Member[]; readonly more: Json | undefined }
  /** `first`: schemas of the first items; `item`: of the others; undefined: none allowed. */
  | { readonly kind: 'list'; readonly first: readonly Json[]; readonly item: Json | undefined }
  /** `at`: index of the value's form. */
  | { readonly kind: 'variants'; readonly variants: readonly { readonly title: string; readonly schema: Json }[]; readonly at: number }
  | { readonly kind: 'json'; readonly why: 'anything' | 'another-type' | 'deep' | 'large' | 'unknown' }

export interface FormPart {
  readonly shape: Shape
  readonly schema: JsonObject
  readonly nullable: boolean
}

const DEEPEST = 10
const MOST_MEMBERS = 200
const MOST_ITEMS = 200
const MOST_VARIANTS = 30

interface SchemaPosition {
  readonly root: JsonObject
  readonly depth: number
  readonly picked?: number | undefined
}

export function formPartOf(schema: Json | undefined, value: Json, place: SchemaPosition): FormPart {
  const resolved = resolveSchema(schema, place.root)
  if (!resolved) return json(isJsonObject(schema) ? schema : {}, 'unknown')
  if (place.depth > DEEPEST) return json(resolved, 'deep')
  if (resolved['const'] !== undefined && indexOfChoice([{ value: resolved['const'] }], value) === 0)
    return { shape: { kind: 'fixed', value: resolved['const'] }, schema: resolved, nullable: false }
  const choices = enumChoicesOf(resolved)
  if (choices)
    return indexOfChoice(choices, value) >= 0
      ? { shape: { kind: 'choice', choices }, schema: resolved, nullable: false }
      : json(resolved, 'another-type')
  const listed = resolved['oneOf'] ?? resolved['anyOf']
  if (Array.isArray(listed)) return ofVariants(resolved, listed as readonly Json[], value, place)
  return ofTypes(resolved, value, place)
}

const json = (schema: JsonObject, why: Extract<Shape, { kind: 'json' }>['why']): FormPart => ({
  shape: { kind: 'json', why },
  schema,
  nullable: false,
})

const isNull = (schema: Json, root: JsonObject): boolean => {
  const resolved = resolveSchema(schema, root)
  return isJsonObject(resolved) && (resolved['const'] === null || typesOf(resolved).join() === 'null')
}

function ofVariants(schema: JsonObject, listed: readonly Json[], value: Json, place: SchemaPosition): FormPart {
  if (listed.length > MOST_VARIANTS) return json(schema, 'large')
  const { oneOf: _, anyOf, ...around } = schema
  // `oneOf` and `anyOf` together are no simple choice.
  if (schema['oneOf'] !== undefined && anyOf !== undefined) return json(schema, 'unknown')
  const { title: _title, description: _description, default: _default, examples: _examples, ...rules } = around
  const each = (one: Json): Json => (Object.keys(rules).length === 0 ? one : { allOf: [one, rules] })
  const others = listed.filter((one) => !isNull(one, place.root))
  const nullable = others.length < listed.length
  const [only] = others
  if (nullable && value === null) return { shape: { kind: 'null' }, schema, nullable: true }
  if (nullable && others.length === 1 && only !== undefined) {
    const part = formPartOf(each(only), value, place)
    return { ...part, schema: { ...part.schema, ...facts(around) }, nullable: true }
  }
  const variants = others.map((one, index) => ({ title: titleOf(one, place.root) ?? t`Form ${index + 1}`, schema: each(one) }))
  const schemas = variants.map((one) => one.schema)
  const picked = place.picked !== undefined && bestFit(schemas.slice(place.picked, place.picked + 1), value, place.root) >= 0
  const at = picked && place.picked !== undefined ? place.picked : bestFit(schemas, value, place.root)
  return at < 0 ? { ...json(schema, 'another-type'), nullable } : { shape: { kind: 'variants', variants, at }, schema, nullable }
}

const facts = ({ title, description, default: proposed }: JsonObject) => defined({ title, description, default: proposed })

function titleOf(variant: Json, root: JsonObject): string | undefined {
  const resolved = resolveSchema(variant, root)
  if (!isJsonObject(resolved)) return undefined
  if (typeof resolved['title'] === 'string') return resolved['title']
  if (resolved['const'] !== undefined) return JSON.stringify(resolved['const'])
  const properties = isJsonObject(resolved['properties']) ? Object.entries(resolved['properties']) : []
  for (const [name, property] of properties) {
    const fixed = isJsonObject(property)
      ? (property['const'] ?? (Array.isArray(property['enum']) && property['enum'].length === 1 ? property['enum'][0] : undefined))
      : undefined
    if (fixed !== undefined && typeof fixed !== 'object') return `${name}: ${String(fixed)}`
  }
  const [type] = typesOf(resolved)
  const required: readonly Json[] = Array.isArray(resolved['required']) ? resolved['required'] : []
  if (type === 'object') return required.length > 0 ? t`with ${required.slice(0, 4).map(String).join(', ')}` : t`object`
  if (type === 'array') {
    const item = titleOf(resolved['items'] ?? true, root)
    return item ? t`list of ${item}` : t`list`
  }
  return type === undefined ? undefined : shortWords()[type]
}

const shortWords = (): Readonly<Record<JsonType, string>> => ({
  string: 'text',
  number: 'number',
  integer: t`a whole number`,
  boolean: t`yes or no`,
  object: 'object',
  array: 'list',
  null: 'null',
})

function ofTypes(schema: JsonObject, value: Json, place: SchemaPosition): FormPart {
  const types = typesOf(schema)
  if (types.length === 0) return json(schema, 'anything')
  const others = types.filter((type) => type !== 'null')
  const nullable = others.length < types.length
  if (value === null && (nullable || others.length === 0)) return { shape: { kind: 'null' }, schema, nullable }
  const [only] = others
  if (only === undefined) return json(schema, 'another-type')
  if (others.length > 1) {
    const variants = others.map((type) => ({ title: shortWords()[type], schema: { ...schema, type } }))
    const picked = place.picked === undefined ? undefined : others[place.picked]
    const at = picked !== undefined && isOfType(value, picked) ? (place.picked ?? 0) : others.findIndex((type) => isOfType(value, type))
    return at < 0 ? { ...json(schema, 'another-type'), nullable } : { shape: { kind: 'variants', variants, at }, schema, nullable }
  }
  if (!isOfType(value, only === 'integer' ? 'number' : only)) return { ...json(schema, 'another-type'), nullable }
  return { shape: ofType(schema, only, value, place), schema, nullable }
}

function ofType(schema: JsonObject, type: JsonType, value: Json, place: SchemaPosition): Shape {
  if (type === 'string') return { kind: 'text', ...(typeof schema['format'] === 'string' ? { format: schema['format'] } : {}) }
  if (type === 'array') return ofList(schema, Array.isArray(value) ? value : [], place)
  if (type === 'object') return ofObject(schema, isJsonObject(value) ? value : {})
  return { kind: type === 'integer' ? 'number' : type }
}

function ofList(schema: JsonObject, value: readonly Json[], place: SchemaPosition): Shape {
  const { items, prefixItems } = schema
  if (value.length > MOST_ITEMS) return { kind: 'json', why: 'large' }
  // Older drafts list one schema for each item in `items`.
  const listed = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : []
  const rest = Array.isArray(items) ? schema['additionalItems'] : items
  if (listed.length > MOST_ITEMS) return { kind: 'json', why: 'large' }
  if (listed.length === 0 && rest === undefined) return { kind: 'json', why: 'anything' }
  const item = resolveSchema(rest, place.root)
  const choices = schema['uniqueItems'] === true && listed.length === 0 && isJsonObject(item) ? enumChoicesOf(item) : undefined
  const isSet = new Set(value.map((one) => JSON.stringify(one))).size === value.length
  if (choices && choices.length <= 50 && isSet && value.every((one) => indexOfChoice(choices, one) >= 0))
    return { kind: 'several', choices }
  return {
    kind: 'list',
    first: listed as readonly Json[],
    item: rest === false ? undefined : (rest ?? (listed.length > 0 ? undefined : true)),
  }
}

function ofObject(schema: JsonObject, value: JsonObject): Shape {
  const members = membersOf(schema, value)
  if (members.length > MOST_MEMBERS) return { kind: 'json', why: 'large' }
  return { kind: 'object', members, more: moreOf(schema, members) }
}

/** Schema of additional members. Without known names any are allowed; else only where the schema says so. */
function moreOf({ additionalProperties: more, patternProperties }: JsonObject, members: readonly Member[]): Json | undefined {
  if (patternProperties !== undefined) return more === false || more === undefined ? true : more
  if (more !== undefined) return more === false ? undefined : more
  return members.every(({ known }) => !known) ? true : undefined
}

/** Members of the schema in its order, then others of the value. */
export function membersOf(schema: JsonObject, value: JsonObject): Member[] {
  const properties = propertiesOf(schema)
  const required: readonly Json[] = Array.isArray(schema['required']) ? schema['required'] : []
  const needed = required.filter((name): name is string => typeof name === 'string').slice(0, MOST_MEMBERS)
  const names = [...new Set([...Object.keys(properties), ...needed, ...Object.keys(value)])]
  return names.map((name) => {
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined
    return { name, schema: own ?? schemaOfMore(schema, name), needed: needed.includes(name), known: own !== undefined }
  })
}

/** Properties, including those of `then`, `else` and `dependentSchemas`; the schema's own win. */
function propertiesOf(schema: JsonObject): JsonObject {
  const named = (one: Json | undefined): JsonObject => (isJsonObject(one) && isJsonObject(one['properties']) ? one['properties'] : {})
  const dependent = isJsonObject(schema['dependentSchemas']) ? Object.values(schema['dependentSchemas']).slice(0, 20) : []
  const own = named(schema)
  const more = [schema['then'], schema['else'], ...dependent].flatMap((one) => Object.entries(named(one)))
  return { ...own, ...Object.fromEntries(more.filter(([name]) => !Object.hasOwn(own, name))) }
}

function schemaOfMore(schema: JsonObject, name: string): Json {
  const { patternProperties, additionalProperties } = schema
  if (isJsonObject(patternProperties))
    for (const [pattern, one] of Object.entries(patternProperties).slice(0, 20)) if (safePattern(pattern)?.test(name)) return one
  return isJsonObject(additionalProperties) ? additionalProperties : true
}
