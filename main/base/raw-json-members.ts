// Members of an object kept as JSON text. A read parses the member; code that handles large ones takes the text at no cost.
import type { Json, JsonObject } from '#app/json.ts'

const texts = new WeakMap<JsonObject, Map<string, Buffer>>()

/** Adds a member by its text, which must be valid JSON in UTF-8. The buffer is kept, not copied. */
export function keepAsText(object: JsonObject, name: string, text: Buffer): void {
  const kept = texts.get(object) ?? new Map<string, Buffer>()
  texts.set(object, kept.set(name, text))
  let value: Json | undefined
  const get = (): Json => (value ??= JSON.parse(text.toString('utf8')) as Json)
  Object.defineProperty(object, name, { enumerable: true, configurable: true, get })
}

/** The texts by the names of the members; undefined for an object like others. */
export const keptTexts = (object: JsonObject): ReadonlyMap<string, Buffer> | undefined => texts.get(object)

/** The object without what is kept as text. */
export function withoutTexts(object: JsonObject): JsonObject {
  const kept = texts.get(object)
  if (!kept) return object
  return Object.fromEntries(
    Object.keys(object)
      .filter((name) => !kept.has(name))
      .map((name) => [name, object[name] as Json]),
  )
}
