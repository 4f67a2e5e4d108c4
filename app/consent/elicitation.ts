// Forms that servers request (MCP, "Elicitation"). The page validates while the person types, the host before anything is sent. A property
// beyond the specification becomes an `unsupported` field, which can only be left out.
import { t } from '../i18n/translate.ts'
import { isJsonObject, type Json, type JsonObject } from '../json.ts'
import { defined } from '../or-else.ts'
import { isDate } from '../text/format-text.ts'
import { asksForSecret, labelAsksForSecret } from '../text/secret-labels.ts'
import { LONGEST_VALUE, MOST_PATTERNS, safePattern } from './safe-pattern.ts'
import { maximumLabel, minimumLabel, writeLike } from './value-labels.ts'

interface Common {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly required: boolean
  /** Whether it seems to ask for a secret, which forms must not do (MCP, "Elicitation", security considerations). */
  readonly secret: boolean
}
interface Option {
  readonly value: string
  readonly title: string
}
type TextFormat = 'email' | 'uri' | 'date' | 'date-time'

export type ElicitationField = Common &
  (
    | {
        readonly kind: 'text'
        readonly format?: TextFormat
        readonly minLength?: number
        readonly maxLength?: number
        readonly pattern?: string
        readonly default?: string
      }
    | {
        readonly kind: 'number'
        readonly integer: boolean
        readonly minimum?: number
        readonly maximum?: number
        readonly default?: number
      }
    | { readonly kind: 'boolean'; readonly default?: boolean }
    | { readonly kind: 'choice'; readonly options: readonly Option[]; readonly default?: string }
    | {
        readonly kind: 'choices'
        readonly options: readonly Option[]
        readonly minItems?: number
        readonly maxItems?: number
        readonly default?: readonly string[]
      }
    /** Property that the specification does not define; it can only be left out. */
    | { readonly kind: 'unsupported' }
  )

/** UTF-16 units of names, titles and descriptions that are read for whether they ask for a secret; fields beyond count as if they did. */
const LONGEST_READ = 60_000
/** UTF-16 units of a proposal that may say what to write in its place. */
const LONGEST_HINT = 200

/** Fields of a form, in the order of its schema. A `message` that asks for a secret marks each field that takes free text. */
export function elicitationFields(schema: JsonObject, message = ''): ElicitationField[] {
  const properties = schema['properties']
  const required = new Set(strings(schema['required']))
  if (!isJsonObject(properties)) return []
  const isAsked = asksForSecret(message)
  let patterns = 0
  let room = LONGEST_READ
  return Object.entries(properties).map(([name, property]): ElicitationField => {
    const shape = isJsonObject(property) ? property : {}
    const [title, description] = [text(shape['title']), text(shape['description'])]
    const { pattern, ...plain } = { pattern: undefined, ...readShape(shape) }
    if (pattern !== undefined) patterns += 1
    room -= name.length + (title ?? '').length + (description ?? '').length
    return {
      name,
      ...defined({ title, description }),
      required: required.has(name),
      secret:
        room < 0 ||
        [name, title ?? ''].some(labelAsksForSecret) ||
        asksForSecret(description ?? '') ||
        (plain.kind === 'text' && (isAsked || saysSecret(shape) || asksForSecret((plain.default ?? '').slice(0, LONGEST_HINT)))),
      ...plain,
      ...(pattern !== undefined && patterns <= MOST_PATTERNS ? { pattern } : {}),
    } as ElicitationField
  })
}

/** Whether a schema says so itself, by words of OpenAPI, JSON Schema and VS Code. */
const saysSecret = ({ format, writeOnly, password }: JsonObject): boolean =>
  format === 'password' || writeOnly === true || password === true

type Shape = ElicitationField extends infer F ? (F extends ElicitationField ? Omit<F, keyof Common> : never) : never

function readShape(shape: JsonObject): Shape {
  switch (shape['type']) {
    case 'string': {
      const options = readOptions(shape)
      if (options === 'broken') return { kind: 'unsupported' }
      if (options) return { kind: 'choice', options, ...defined({ default: oneOf(options, shape['default']) }) }
      const [minLength, maxLength] = [number(shape['minLength']), number(shape['maxLength'])]
      const [pattern, proposed] = [text(shape['pattern']), text(shape['default'])]
      return { kind: 'text', ...defined({ format: readFormat(shape['format']), minLength, maxLength, pattern, default: proposed }) }
    }
    case 'number':
    case 'integer': {
      const [minimum, maximum, proposed] = [number(shape['minimum']), number(shape['maximum']), number(shape['default'])]
      return { kind: 'number', integer: shape['type'] === 'integer', ...defined({ minimum, maximum, default: proposed }) }
    }
    case 'boolean':
      return { kind: 'boolean', ...defined({ default: typeof shape['default'] === 'boolean' ? shape['default'] : undefined }) }
    case 'array': {
      const options = isJsonObject(shape['items']) ? readOptions(shape['items']) : undefined
      if (!options || options === 'broken') return { kind: 'unsupported' }
      const chosen = strings(shape['default']).filter((value) => oneOf(options, value) !== undefined)
      const [minItems, maxItems] = [number(shape['minItems']), number(shape['maxItems'])]
      return { kind: 'choices', options, ...defined({ minItems, maxItems, default: Array.isArray(shape['default']) ? chosen : undefined }) }
    }
    default:
      return { kind: 'unsupported' }
  }
}

/** Options of `enum` (with `enumNames`), `oneOf` or `anyOf`. Undefined: no choice; `broken`: an invalid one. */
function readOptions(shape: JsonObject): readonly Option[] | 'broken' | undefined {
  const listed = shape['enum'] === undefined ? (shape['oneOf'] ?? shape['anyOf']) : shape['enum']
  if (listed === undefined) return undefined
  if (!Array.isArray(listed) || listed.length === 0) return 'broken'
  const names = strings(shape['enumNames'])
  const options = (listed as readonly Json[]).flatMap((item, index): Option[] => {
    if (shape['enum'] !== undefined) return typeof item === 'string' ? [{ value: item, title: names[index] ?? item }] : []
    const value = isJsonObject(item) ? text(item['const']) : undefined
    return value === undefined || !isJsonObject(item) ? [] : [{ value, title: text(item['title']) ?? value }]
  })
  return options.length === listed.length ? options : 'broken'
}

const text = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined)
const number = (value: Json | undefined): number | undefined => (typeof value === 'number' ? value : undefined)
const strings = (value: Json | undefined): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []
const oneOf = (options: readonly Option[], value: Json | undefined): string | undefined =>
  options.find((option) => option.value === value)?.value
const readFormat = (value: Json | undefined): TextFormat | undefined =>
  value === 'email' || value === 'uri' || value === 'date' || value === 'date-time' ? value : undefined

type ElicitationCheck =
  | { readonly ok: true; readonly content: JsonObject }
  /** Errors by field name: sentences without the field's name. */
  | { readonly ok: false; readonly errors: Readonly<Record<string, string>> }

export function validateElicitation(schema: JsonObject, content: unknown): ElicitationCheck {
  const given = isJsonObject(content) ? content : {}
  const fields = elicitationFields(schema)
  const errors: [string, string][] = []
  const values: [string, Json][] = []
  for (const field of fields) {
    const { name, required } = field
    const value = Object.hasOwn(given, name) ? given[name] : undefined
    const missing = required ? t`Required` : undefined
    const error = value === undefined ? missing : fieldError(field, value)
    if (error !== undefined) errors.push([name, error])
    else if (value !== undefined) values.push([name, value])
  }
  const names = new Set(fields.map((field) => field.name))
  for (const name of Object.keys(given)) if (!names.has(name)) errors.push([name, t`This value is not allowed.`])
  return errors.length ? { ok: false, errors: Object.fromEntries(errors) } : { ok: true, content: Object.fromEntries(values) }
}

/** Fills in the server's defaults for fields without an answer, except secrets; for answers without a form. */
export function withDefaults(schema: JsonObject, content: JsonObject): JsonObject {
  const proposed = elicitationFields(schema).flatMap((field) =>
    'default' in field && field.default !== undefined && !field.secret && !Object.hasOwn(content, field.name)
      ? [[field.name, field.default as Json] as const]
      : [],
  )
  return { ...content, ...Object.fromEntries(proposed) }
}

/** Error of a value for a field, as a sentence; undefined: none. */
export function fieldError(field: ElicitationField, value: Json): string | undefined {
  if (field.kind === 'text') return typeof value === 'string' ? textError(field, value) : t`Must be ${t`a text`}.`
  if (field.kind === 'number')
    return typeof value === 'number' && Number.isFinite(value) ? numberError(field, value) : t`Must be ${t`a number`}.`
  if (field.kind === 'boolean') return typeof value === 'boolean' ? undefined : t`Must be ${t`yes or no`}.`
  if (field.kind === 'choice') return oneOf(field.options, value) === undefined ? t`Choose one` : undefined
  return field.kind === 'choices' ? choicesError(field, value) : t`This value is not allowed.`
}

type FieldOf<K extends ElicitationField['kind']> = Extract<ElicitationField, { kind: K }>

function textError(field: FieldOf<'text'>, text: string): string | undefined {
  const length = [...text].length
  if (field.minLength !== undefined && length < field.minLength) return t`Minimum length: ${String(field.minLength)}.`
  if (field.maxLength !== undefined && length > field.maxLength) return t`Maximum length: ${String(field.maxLength)}.`
  const format = field.format && formats()[field.format]
  if (format && !format.test(text)) return format.error
  if (field.pattern !== undefined && text.length <= LONGEST_VALUE && safePattern(field.pattern)?.test(text) === false)
    return t`Must match ${field.pattern}`
  return undefined
}

function numberError(field: FieldOf<'number'>, value: number): string | undefined {
  if (field.integer && !Number.isInteger(value)) return t`Must be ${t`a whole number`}.`
  if (field.minimum !== undefined && value < field.minimum) return minimumLabel(field.minimum)
  if (field.maximum !== undefined && value > field.maximum) return maximumLabel(field.maximum)
  return undefined
}

function choicesError(field: FieldOf<'choices'>, value: Json): string | undefined {
  if (!Array.isArray(value) || !value.every((item: Json) => oneOf(field.options, item) !== undefined)) return t`This value is not allowed.`
  if (new Set(value).size !== value.length) return t`This value is not allowed.`
  if (field.minItems !== undefined && value.length < field.minItems) return minimumLabel(field.minItems)
  if (field.maxItems !== undefined && value.length > field.maxItems) return maximumLabel(field.maxItems)
  return undefined
}

const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/

const formats = (): Readonly<Record<NonNullable<FieldOf<'text'>['format']>, { test(text: string): boolean; error: string }>> => ({
  email: { test: (text) => text.length <= 320 && /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(text), error: writeLike('name@example.com') },
  uri: { test: (text) => !/\s/.test(text) && URL.canParse(text), error: writeLike('https://example.com') },
  date: { test: isDate, error: writeLike('2026-11-21') },
  'date-time': {
    test: (text) => isDate(DATE_TIME.exec(text)?.[1] ?? '') && !Number.isNaN(Date.parse(text.toUpperCase().replace(' ', 'T'))),
    error: writeLike('2026-11-21T09:30:00Z'),
  },
})
