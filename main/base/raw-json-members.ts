// Members of an object that stay the JSON text they came as. Who reads such a member gets its value, parsed at that moment,
// so that nobody has to know; who has to do with large ones asks for the text first, which costs nothing.
import type { Json, JsonObject } from '#app/json.ts'

const texts = new WeakMap<JsonObject, Map<string, Buffer>>()

/** `text`: checked to be JSON, in UTF-8. It is kept, not copied. */
export function keepAsText(object: JsonObject, name: string, text: Buffer): void {
  const kept = texts.get(object) ?? new Map<string, Buffer>()
  texts.set(object, kept.set(name, text))
  let value: Json | undefined
  Object.defineProperty(object, name, {
    enumerable: true,
    configurable: true,
    get() {
      value ??= JSON.parse(text.toString('utf8')) as Json
      return value
    },
  })
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
