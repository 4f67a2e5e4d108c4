// Checks a value against a server's schema by `@cfworker/json-schema`, which interprets: nothing becomes code. Since the page checks while
// the person types, slow patterns, formats and unbounded work are left to the server (`unchecked`).
import { type OutputUnit, type SchemaDraft, Validator } from '@cfworker/json-schema'
import { safePattern } from '../consent/safe-pattern.ts'
import { maximumLabel, minimumLabel } from '../consent/value-labels.ts'
import { t } from '../i18n/translate.ts'
import { childOf, isJsonObject, type Json, type JsonObject, pointerNames, pointerTo, valueAtPlace } from '../json.ts'
import { orElse } from '../or-else.ts'
import { isJsonType, jsonTypeLabels, schemaAtReference } from './resolve-schema.ts'

/** Keywords that only report an error within, which has its own entry. */
const around =
  /^(?:properties|patternProperties|additionalProperties|unevaluatedProperties|items|prefixItems|additionalItems|unevaluatedItems|allOf|if|dependentSchemas|propertyNames|\$ref|\$recursiveRef|\$dynamicRef)$/

interface Leaf extends OutputUnit {
  /** Result of `oneOf` or `anyOf`: more than one form fits, or none by type. */
  readonly fits?: 'several' | 'none'
}

/** Selects the errors that a person can act on; of several forms only those of the one that fits best. */
function leavesOf(units: readonly OutputUnit[]): Leaf[] {
  const leaves: Leaf[] = []
  for (let at = 0; at < units.length; at += 1) {
    const unit = units[at]
    if (!unit) break
    if (unit.keyword !== 'anyOf' && unit.keyword !== 'oneOf') {
      if (!around.test(unit.keyword)) leaves.push(unit)
      continue
    }
    const prefix = `${unit.keywordLocation}/`
    let end = at + 1
    while (units[end]?.keywordLocation.startsWith(prefix)) end += 1
    leaves.push(...ofBestForm(unit, units.slice(at + 1, end), prefix))
    at = end - 1
  }
  return leaves
}

function ofBestForm(unit: OutputUnit, within: readonly OutputUnit[], prefix: string): Leaf[] {
  const forms = new Map<string, OutputUnit[]>()
  for (const one of within) {
    const form = one.keywordLocation.slice(prefix.length).split('/', 1)[0] ?? ''
    forms.set(form, [...(forms.get(form) ?? []), one])
  }
  if (forms.size === 0) return [{ ...unit, fits: 'several' }]
  const each = [...forms.values()].map((form) => {
    const leaves = leavesOf(form)
    return { leaves, cost: leaves.reduce((sum, leaf) => sum + costOf(leaf, unit), 0) }
  })
  const best = each.reduce((least, one) => (one.cost < least.cost ? one : least))
  return best.cost >= OF_ANOTHER_TYPE ? [{ ...unit, fits: 'none' }] : best.leaves
}

const OF_ANOTHER_TYPE = 1000

function costOf(leaf: Leaf, unit: OutputUnit): number {
  if (leaf.instanceLocation === unit.instanceLocation && (leaf.keyword === 'type' || leaf.keyword === 'const' || leaf.keyword === 'enum'))
    return OF_ANOTHER_TYPE
  return leaf.keyword === 'const' ? 100 : leaf.keyword === 'enum' ? 10 : 1
}

function checkMessages(leaves: readonly Leaf[], value: Json, schema: JsonObject): Record<string, string> {
  const errors = new Map<string, string>()
  const say = (place: string, words: string): void => {
    if (!errors.has(place)) errors.set(place, words)
  }
  for (const leaf of leaves) {
    const place = decodeURI(leaf.instanceLocation.slice(1)).replaceAll('%23', '#')
    const limit = limitOf(leaf, schema)
    if (leaf.keyword === 'required' || leaf.keyword === 'dependentRequired') {
      for (const name of missingAt(valueAtPlace(value, place), leaf, limit)) say(place + pointerTo(name), t`Required`)
    } else say(place, messageOf(leaf, limit))
  }
  return Object.fromEntries(errors)
}

function missingAt(value: Json | undefined, { keyword }: Leaf, limit: Json | undefined): string[] {
  if (!isJsonObject(value)) return []
  const names = (list: Json | undefined): string[] =>
    Array.isArray(list) ? list.filter((one): one is string => typeof one === 'string') : []
  const needed =
    keyword === 'required'
      ? names(limit)
      : Object.entries(isJsonObject(limit) ? limit : {}).flatMap(([name, list]) => (Object.hasOwn(value, name) ? names(list) : []))
  return needed.filter((name) => !Object.hasOwn(value, name))
}

function limitOf({ keyword, keywordLocation }: Leaf, root: JsonObject): Json | undefined {
  // The checker spells the location of `dependentRequired` differently.
  const location = [...keywordLocation.split('/').slice(0, -1), keyword].map((part) => orElse(() => decodeURIComponent(part), part))
  return pointerNames(location.join('/')).reduce<Json | undefined>((at, name) => {
    const child = childOf(at, name)
    return name === '$ref' && typeof child === 'string' ? schemaAtReference(child, root) : child
  }, root)
}

const messageOf = ({ keyword, fits, error }: Leaf, limit: Json | undefined): string => {
  const messages = keywordMessages(limit, fits)
  return Object.hasOwn(messages, keyword) ? (messages[keyword]?.() ?? error) : error
}

/** Messages by keyword, each made when it is needed: the server's limit may be anything. */
function keywordMessages(limit: Json | undefined, fits: Leaf['fits']): Readonly<Record<string, () => string>> {
  const types = (): string =>
    (Array.isArray(limit) ? (limit as readonly Json[]) : [limit ?? null])
      .map((one) => (isJsonType(one) ? jsonTypeLabels()[one] : String(one)))
      .join(' or ')
  const forms = (): string => (fits === 'several' ? t`The value fits several forms; only one may fit.` : t`The value fits no form.`)
  const contains = (): string => t`Required items are missing.`
  return {
    type: () => t`Must be ${types()}.`,
    enum: () => t`Choose one`,
    const: () => t`Must be ${short(limit)}.`,
    minLength: () => t`Minimum length: ${String(limit)}.`,
    maxLength: () => t`Maximum length: ${String(limit)}.`,
    pattern: () => t`Must match ${String(limit)}`,
    minimum: () => minimumLabel(limit),
    maximum: () => maximumLabel(limit),
    exclusiveMinimum: () => t`Must be more than ${String(limit)}.`,
    exclusiveMaximum: () => t`Must be less than ${String(limit)}.`,
    multipleOf: () => t`Must be a multiple of ${String(limit)}.`,
    minItems: () => minimumLabel(limit),
    maxItems: () => maximumLabel(limit),
    minProperties: () => minimumLabel(limit),
    maxProperties: () => maximumLabel(limit),
    anyOf: forms,
    oneOf: forms,
    not: () => t`This value is not allowed.`,
    false: () => t`This value is not allowed.`,
    contains,
    minContains: contains,
    maxContains: contains,
  }
}

const short = (value: Json | undefined): string => {
  const text = JSON.stringify(value ?? null)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

class TooMuch extends Error {}

const MOST_PARTS = 5_000
const DEEPEST = 200
/** Most patterns: each runs at every key press. */
const MOST_PATTERNS = 50
const listsOf: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
const mapsOf: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions', 'dependentSchemas', 'patternProperties'])
const data: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples', 'required', 'type', 'dependentRequired'])

/** Copies a schema without slow patterns, formats and `$ref`, which is counted. @throws {TooMuch} for a schema that is too large */
function tamed(schema: JsonObject, steps: { left: number }): JsonObject {
  let parts = MOST_PARTS
  let patterns = MOST_PATTERNS
  const isSafe = (pattern: string): boolean => {
    if (safePattern(pattern) === undefined || patterns <= 0) return false
    patterns -= 1
    return true
  }

  function copy(value: Json, depth: number): Json {
    if (Array.isArray(value)) return (value as readonly Json[]).map((one) => copy(one, depth))
    if (!isJsonObject(value)) return value
    parts -= 1
    if (parts < 0 || depth > DEEPEST) throw new TooMuch()
    const entries = Object.entries(value).flatMap(([key, one]): [string, Json][] => {
      if (key === '$ref' || key === 'format' || key === 'uniqueItems') return []
      if (key === 'pattern') return typeof one === 'string' && isSafe(one) ? [[key, one]] : []
      if (data.has(key)) return [[key, one]]
      if (key === 'patternProperties') return isJsonObject(one) && Object.keys(one).every(isSafe) ? [[key, copyMap(one, depth)]] : []
      if (mapsOf.has(key)) return isJsonObject(one) ? [[key, copyMap(one, depth)]] : []
      if (listsOf.has(key) && !Array.isArray(one)) return []
      return [[key, copy(one, depth + 1)]]
    })
    // Without the patterns nobody can say which names are additional.
    const kept = entries.some(([key]) => key === 'patternProperties') || value['patternProperties'] === undefined
    const taken = kept ? entries : entries.filter(([key]) => key !== 'additionalProperties' && key !== 'unevaluatedProperties')
    return counted(Object.fromEntries(taken), value['$ref'], steps)
  }
  const copyMap = (map: JsonObject, depth: number): JsonObject =>
    Object.fromEntries(Object.entries(map).map(([name, one]) => [name, copy(one, depth + 1)]))

  return copy(schema, 0) as JsonObject
}

/** Counts each visit of a part: the checker reads its `$ref`. @throws {TooMuch} when `steps.left` is used up */
function counted(part: JsonObject, reference: Json | undefined, steps: { left: number }): JsonObject {
  Object.defineProperty(part, '$ref', {
    get() {
      steps.left -= 1
      if (steps.left < 0) throw new TooMuch()
      return typeof reference === 'string' ? reference : undefined
    },
  })
  return part
}

export type Checked =
  /** `errors`: a sentence by JSON Pointer; empty: valid. */
  | { readonly kind: 'checked'; readonly errors: Readonly<Record<string, string>> }
  /** The schema cannot be used; nothing is known of the value. */
  | { readonly kind: 'unchecked'; readonly because: 'too-much' | 'schema' }

type Check = (value: Json) => Checked

/** Largest value, in characters of its JSON. */
const LARGEST_VALUE = 300_000

const drafts: readonly [mark: string, draft: SchemaDraft][] = [
  ['draft-04', '4'],
  ['draft-06', '7'],
  ['draft-07', '7'],
  ['2019-09', '2019-09'],
]

/** Prepares a schema once for many values. */
export function createCheck(schema: JsonObject): Check {
  const named = typeof schema['$schema'] === 'string' ? schema['$schema'] : ''
  const draft = drafts.find(([mark]) => named.includes(mark))?.[1] ?? '2020-12'
  const steps = { left: 0 }
  let validator: Validator | undefined
  let unusable: Checked | undefined
  return (value) => {
    if (unusable) return unusable
    try {
      if (JSON.stringify(value).length > LARGEST_VALUE) return { kind: 'unchecked', because: 'too-much' }
      steps.left = MOST_STEPS
      validator ??= new Validator(tamed(schema, steps) as ConstructorParameters<typeof Validator>[0], draft, false)
      steps.left = MOST_STEPS
      const { valid, errors } = validator.validate(value)
      return { kind: 'checked', errors: valid ? {} : checkMessages(leavesOf(errors as OutputUnit[]), value, schema) }
    } catch (error) {
      // Endless recursion runs out of stack.
      const because = error instanceof TooMuch || error instanceof RangeError ? 'too-much' : 'schema'
      if (!validator) unusable = { kind: 'unchecked', because }
      return { kind: 'unchecked', because }
    }
  }
}

/** Most visits of schema parts in one check, some 30 ms. */
const MOST_STEPS = 10_000
