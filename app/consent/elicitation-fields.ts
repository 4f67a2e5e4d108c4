// From the schema of a form to its fields, in the order of the schema.
import { isJsonObject, type Json, type JsonObject } from '../json.ts'
import { MOST_PATTERNS } from './safe-pattern.ts'
import { looksSecret } from './secret-names.ts'

interface Common {
  readonly name: string
  /** The server's words: shown as data. */
  readonly title?: string
  readonly description?: string
  readonly required: boolean
  /** It looks as if a secret were asked for, which no server may do in a form (MCP, "Elicitation", security). */
  readonly secret: boolean
}
export interface Option {
  readonly value: string
  readonly title: string
}
export type TextFormat = 'email' | 'uri' | 'date' | 'date-time'

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
    /** Not a field that the specification knows: it can only be left out. */
    | { readonly kind: 'unsupported' }
  )

export function elicitationFields(schema: JsonObject): ElicitationField[] {
  const properties = schema['properties']
  const required = new Set(strings(schema['required']))
  if (!isJsonObject(properties)) return []
  let patterns = 0
  return Object.entries(properties).map(([name, property]): ElicitationField => {
    const shape = isJsonObject(property) ? property : {}
    const title = text(shape['title'])
    const description = text(shape['description'])
    const { pattern, ...plain } = { pattern: undefined, ...readShape(shape) }
    if (pattern !== undefined) patterns += 1
    return {
      name,
      ...(title === undefined ? {} : { title }),
      ...(description === undefined ? {} : { description }),
      required: required.has(name),
      secret: looksSecret(name) || (title !== undefined && looksSecret(title)),
      ...plain,
      ...(pattern !== undefined && patterns <= MOST_PATTERNS ? { pattern } : {}),
    } as ElicitationField
  })
}

type Shape = ElicitationField extends infer F ? (F extends ElicitationField ? Omit<F, keyof Common> : never) : never

function readShape(shape: JsonObject): Shape {
  switch (shape['type']) {
    case 'string': {
      const options = readOptions(shape)
      if (options === 'broken') return { kind: 'unsupported' }
      if (options) return { kind: 'choice', options, ...defined('default', oneOf(options, shape['default'])) }
      return {
        kind: 'text',
        ...defined('format', readFormat(shape['format'])),
        ...defined('minLength', number(shape['minLength'])),
        ...defined('maxLength', number(shape['maxLength'])),
        ...defined('pattern', text(shape['pattern'])),
        ...defined('default', text(shape['default'])),
      }
    }
    case 'number':
    case 'integer':
      return {
        kind: 'number',
        integer: shape['type'] === 'integer',
        ...defined('minimum', number(shape['minimum'])),
        ...defined('maximum', number(shape['maximum'])),
        ...defined('default', number(shape['default'])),
      }
    case 'boolean':
      return { kind: 'boolean', ...defined('default', typeof shape['default'] === 'boolean' ? shape['default'] : undefined) }
    case 'array': {
      const options = isJsonObject(shape['items']) ? readOptions(shape['items']) : undefined
      if (!options || options === 'broken') return { kind: 'unsupported' }
      const chosen = strings(shape['default']).filter((value) => oneOf(options, value) !== undefined)
      return {
        kind: 'choices',
        options,
        ...defined('minItems', number(shape['minItems'])),
        ...defined('maxItems', number(shape['maxItems'])),
        ...defined('default', Array.isArray(shape['default']) ? chosen : undefined),
      }
    }
    default:
      return { kind: 'unsupported' }
  }
}

/** `enum` (with `enumNames`), or `oneOf` / `anyOf` of `const` and `title`. Undefined: no choice; broken: one that is none. */
function readOptions(shape: JsonObject): readonly Option[] | 'broken' | undefined {
  const listed = shape['enum']
  if (listed !== undefined) {
    const values = strings(listed)
    if (!Array.isArray(listed) || values.length !== listed.length || values.length === 0) return 'broken'
    const names = strings(shape['enumNames'])
    return values.map((value, index) => ({ value, title: names[index] ?? value }))
  }
  const titled = shape['oneOf'] ?? shape['anyOf']
  if (titled === undefined) return undefined
  if (!Array.isArray(titled) || titled.length === 0) return 'broken'
  const options: Option[] = []
  for (const item of titled as readonly Json[]) {
    const value = isJsonObject(item) ? text(item['const']) : undefined
    if (value === undefined || !isJsonObject(item)) return 'broken'
    options.push({ value, title: text(item['title']) ?? value })
  }
  return options
}

const defined = <K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } =>
  value === undefined ? {} : ({ [key]: value } as { [P in K]: V })
const text = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined)
const number = (value: Json | undefined): number | undefined => (typeof value === 'number' ? value : undefined)
const strings = (value: Json | undefined): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []
const oneOf = (options: readonly Option[], value: Json | undefined): string | undefined =>
  options.find((option) => option.value === value)?.value
const readFormat = (value: Json | undefined): TextFormat | undefined =>
  value === 'email' || value === 'uri' || value === 'date' || value === 'date-time' ? value : undefined
