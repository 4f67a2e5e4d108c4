// Arguments that fit a tool's input schema, made from the schema alone: what must be there, as plainly as it may be.
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'

/** Schemas may contain themselves. */
const maxDepth = 6

export function argumentsFor(schema: JsonObject, depth = 0): JsonObject {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : []
  return Object.fromEntries(required.map((name) => [name, sample(properties[name], depth)]))
}

function sample(schema: Json | undefined, depth: number): Json {
  if (!isJsonObject(schema) || depth > maxDepth) return 'text'
  const { const: constant, default: preset, enum: choices } = schema
  if (constant !== undefined) return constant
  if (preset !== undefined) return preset
  if (Array.isArray(choices)) return choices[0] ?? null
  const type = Array.isArray(schema['type']) ? schema['type'][0] : schema['type']
  switch (type) {
    case 'number':
    case 'integer':
      return typeof schema['minimum'] === 'number' ? schema['minimum'] : 1
    case 'boolean':
      return true
    case 'null':
      return null
    case 'array':
      return []
    case 'object':
      return argumentsFor(schema, depth + 1)
    default:
      return 'text'
  }
}
