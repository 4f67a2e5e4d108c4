import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'

const typeOf = (value: Json): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)

function fits(value: Json, type: unknown): boolean {
  if (Array.isArray(type)) return type.some((one) => fits(value, one))
  if (type === 'integer') return Number.isInteger(value)
  return typeof type !== 'string' || typeOf(value) === type
}

/** The first thing that the tool's schema plainly forbids at its top level: a missing member or one of another type. */
export function argumentProblem(value: JsonObject, schema: JsonObject): string | undefined {
  const required = Array.isArray(schema['required']) ? (schema['required'] as readonly Json[]) : []
  const missing = required.find((name) => typeof name === 'string' && !Object.hasOwn(value, name))
  if (missing !== undefined) return `“${String(missing)}” is missing.`
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  for (const [name, item] of Object.entries(value)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (isJsonObject(property) && !fits(item, property['type'])) return `“${name}” must be of the type ${JSON.stringify(property['type'])}.`
  }
  return undefined
}
