// Which types a value may have by a schema, and which it has.
import { isJsonObject, type Json, type JsonObject } from '../json.ts'
import { t } from '../words/translate.ts'

export const jsonTypes = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'] as const
export type JsonType = (typeof jsonTypes)[number]

export const typeWords = (): Readonly<Record<JsonType, string>> => ({
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
