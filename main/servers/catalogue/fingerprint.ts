import { createHash } from 'node:crypto'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'

/** JSON text that is the same for the same value, in whatever order its keys came. Throws `RangeError` when nested too deeply. */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const keys = Object.keys(value).sort((a, b) => (a < b ? -1 : 1))
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`).join(',')}}`
}

/** SHA-256, in hexadecimal, over all that a person or a model is told about a tool. */
export function toolFingerprint(tool: {
  readonly name: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly inputSchema: JsonObject
  readonly outputSchema?: JsonObject | undefined
  readonly annotations?: Readonly<Record<string, unknown>> | undefined
}): string {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool
  const told: Record<string, Json> = { name, inputSchema }
  if (title !== undefined) told['title'] = title
  if (description !== undefined) told['description'] = description
  if (outputSchema !== undefined) told['outputSchema'] = outputSchema
  if (annotations !== undefined) told['annotations'] = annotations as JsonObject
  return createHash('sha256').update(canonicalJson(told)).digest('hex')
}
