import type { Json, JsonObject } from '#app/json.ts'

/**
 * Estimates the bytes of a value as JSON text without making the text. Escapes are not counted. A value of more than `most` bytes is not
 * walked to its end: the result is then any number above that.
 */
export function jsonSize(value: Json, most = Number.POSITIVE_INFINITY): number {
  let size = 0
  const open: Json[] = [value]
  for (let next = open.pop(); next !== undefined && size <= most; next = open.pop()) {
    if (typeof next === 'string') size += Buffer.byteLength(next) + 2
    else if (next === null || typeof next !== 'object') size += String(next).length
    else if (Array.isArray(next)) {
      size += 1 + Math.max(next.length, 1)
      for (const item of next) open.push(item)
    } else {
      // What was parsed from JSON inherits nothing that is enumerable. A list of all members would cost several times as much.
      let members = 0
      for (const key in next) {
        members += 1
        size += Buffer.byteLength(key) + 3
        if (size > most) return size
        open.push((next as JsonObject)[key] as Json)
      }
      size += 1 + Math.max(members, 1)
    }
  }
  return size
}

/** Greatest depth of JSON from a server: deeper values may overflow the stack of whatever checks, stores or shows them. */
export const deepest = 500

/** Whether lists and objects are nested more than `most` deep. Recurses no deeper itself. */
export function isDeeperThan(value: unknown, most: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (most === 0) return true
  if (Array.isArray(value)) return value.some((item) => isDeeperThan(item, most - 1))
  // What was parsed from JSON inherits nothing that is enumerable. A list of all values would cost ten times as much.
  for (const key in value) if (isDeeperThan((value as Readonly<Record<string, unknown>>)[key], most - 1)) return true
  return false
}

// Members of an object kept as JSON text. A read parses the member; code that handles large ones takes the text at no cost.
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
