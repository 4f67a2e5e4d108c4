// The form of a tool's arguments, from its input schema: which control each part of a value gets, and what is wrong with
// what stands in it. Pure. What the schema says in a way that no control shows is written as JSON, for that part alone;
// nothing of a value is lost by being in the form.
import { pointerTo } from '#app/consent/match.ts'
import { safePattern } from '#app/consent/safe-pattern.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'

export type Control =
  | { readonly kind: 'text' | 'number' | 'boolean' | 'json' }
  | { readonly kind: 'choice'; readonly options: readonly Json[] }
  | { readonly kind: 'object'; readonly fields: readonly FormPart[] }
  | { readonly kind: 'list'; readonly item: JsonObject }

export interface FormPart {
  readonly name: string
  readonly schema: JsonObject
  readonly needed: boolean
}

/** Deeper than this is written as JSON. */
const DEEPEST = 6
const MOST_FIELDS = 100
const LONGEST_PATTERNED = 100

/** By the schema, as long as the value fits its type: what does not is written as JSON, so that it is not changed unseen. */
export function controlFor(schema: JsonObject, value: Json | undefined, depth = 0): Control {
  const { enum: options, type } = schema
  if (Array.isArray(options) && options.length > 0 && options.every((one: Json) => one === null || typeof one !== 'object'))
    return value === undefined || (options as readonly Json[]).includes(value)
      ? { kind: 'choice', options: options as readonly Json[] }
      : { kind: 'json' }
  if (['anyOf', 'oneOf', 'allOf', '$ref', 'not', 'if', 'const'].some((name) => schema[name] !== undefined)) return { kind: 'json' }
  if (value !== undefined && typeof type === 'string' && !isOfType(value, type)) return { kind: 'json' }
  switch (type) {
    case 'string':
      return { kind: 'text' }
    case 'number':
    case 'integer':
      return { kind: 'number' }
    case 'boolean':
      return { kind: 'boolean' }
    case 'array':
      return isJsonObject(schema['items']) && depth < DEEPEST ? { kind: 'list', item: schema['items'] } : { kind: 'json' }
    case 'object': {
      const fields = partsOf(schema, isJsonObject(value) ? value : {})
      return depth < DEEPEST && fields.length > 0 && fields.length <= MOST_FIELDS ? { kind: 'object', fields } : { kind: 'json' }
    }
    default:
      return { kind: 'json' }
  }
}

/** What the schema names, in its order; then what the value has besides. */
export function partsOf(schema: JsonObject, value: JsonObject): FormPart[] {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  const required: readonly Json[] = Array.isArray(schema['required']) ? schema['required'] : []
  const names = [...new Set([...Object.keys(properties), ...Object.keys(value)])]
  return names.map((name) => {
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined
    return { name, schema: isJsonObject(own) ? own : {}, needed: required.includes(name) }
  })
}

/** By JSON Pointer: what the form's schema plainly forbids. A part of another form than we know is left to the server. */
export function formErrors(value: Json | undefined, schema: JsonObject, at = '', depth = 0): Record<string, string> {
  if (value === undefined) return {}
  const { enum: options, type, const: only } = schema
  const wrong = (words: string): Record<string, string> => ({ [at]: words })
  if (typeof type === 'string' && !isOfType(value, type)) return wrong(`This has to be ${typeWords[type] ?? type}.`)
  if (Array.isArray(options) && !options.some((one: Json) => JSON.stringify(one) === JSON.stringify(value)))
    return wrong('One of the choices is needed.')
  if (only !== undefined && JSON.stringify(only) !== JSON.stringify(value)) return wrong(`Only ${JSON.stringify(only)} is possible.`)
  if (typeof value === 'string') return textError(value, schema, wrong)
  if (typeof value === 'number') return numberError(value, schema, wrong)
  if (depth > 20) return {}
  if (Array.isArray(value)) {
    const { minItems, maxItems, items } = schema
    if (typeof minItems === 'number' && value.length < minItems) return wrong(`At least ${minItems} are needed.`)
    if (typeof maxItems === 'number' && value.length > maxItems) return wrong(`At most ${maxItems} fit.`)
    if (!isJsonObject(items)) return {}
    return Object.assign({}, ...(value as readonly Json[]).map((item, index) => formErrors(item, items, `${at}/${index}`, depth + 1)))
  }
  if (!isJsonObject(value)) return {}
  const closed = schema['additionalProperties'] === false
  const known = isJsonObject(schema['properties']) ? schema['properties'] : {}
  return Object.assign(
    {},
    ...partsOf(schema, value).map((part) => {
      const place = at + pointerTo(part.name)
      if (!Object.hasOwn(value, part.name)) return part.needed ? { [place]: 'This is needed.' } : {}
      if (closed && !Object.hasOwn(known, part.name) && schema['patternProperties'] === undefined)
        return { [place]: 'The tool takes no such argument.' }
      return formErrors(value[part.name], part.schema, place, depth + 1)
    }),
    ...missingUnknown(value, schema, at),
  )
}

/** What is required without being described. */
function missingUnknown(value: JsonObject, schema: JsonObject, at: string): Record<string, string>[] {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  const required: readonly Json[] = Array.isArray(schema['required']) ? schema['required'] : []
  return required.flatMap((name) =>
    typeof name === 'string' && !Object.hasOwn(properties, name) && !Object.hasOwn(value, name) ? [{ [at]: `“${name}” is missing.` }] : [],
  )
}

type Wrong = (words: string) => Record<string, string>

function textError(text: string, { minLength, maxLength, pattern }: JsonObject, wrong: Wrong): Record<string, string> {
  const length = [...text].length
  if (typeof minLength === 'number' && length < minLength) return wrong(`At least ${minLength} characters are needed.`)
  if (typeof maxLength === 'number' && length > maxLength) return wrong(`At most ${maxLength} characters fit.`)
  if (typeof pattern === 'string' && text.length <= LONGEST_PATTERNED && safePattern(pattern)?.test(text) === false)
    return wrong(`The tool wants the form ${pattern}`)
  return {}
}

function numberError(
  value: number,
  { minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonObject,
  wrong: Wrong,
): Record<string, string> {
  if (typeof minimum === 'number' && value < minimum) return wrong(`${minimum} is the least.`)
  if (typeof maximum === 'number' && value > maximum) return wrong(`${maximum} is the most.`)
  if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum) return wrong(`It has to be more than ${exclusiveMinimum}.`)
  if (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum) return wrong(`It has to be less than ${exclusiveMaximum}.`)
  return {}
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'yes or no',
  array: 'a list',
  object: 'an object',
  null: 'null',
}

function isOfType(value: Json, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'array') return Array.isArray(value)
  if (type === 'null') return value === null
  if (type === 'object') return isJsonObject(value)
  return !(type in typeWords) || typeof value === type
}

/** What a new item or member begins with. */
export function blankFor(schema: JsonObject): Json {
  if (schema['default'] !== undefined) return schema['default']
  const options = schema['enum']
  if (Array.isArray(options) && options[0] !== undefined) return options[0] as Json
  switch (schema['type']) {
    case 'number':
    case 'integer':
      return typeof schema['minimum'] === 'number' ? schema['minimum'] : 0
    case 'boolean':
      return false
    case 'array':
      return []
    case 'object': {
      const parts = partsOf(schema, {}).filter(({ needed }) => needed)
      return Object.fromEntries(parts.map((part) => [part.name, blankFor(part.schema)]))
    }
    default:
      return ''
  }
}

/** The member set, or taken away; the others keep their places. */
export function withMember(value: JsonObject, name: string, next: Json | undefined): JsonObject {
  if (next !== undefined) return { ...value, [name]: next }
  return Object.fromEntries(Object.entries(value).filter(([own]) => own !== name))
}
