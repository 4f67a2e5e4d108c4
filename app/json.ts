// JSON on the wire, on disk, and between host and page.

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }

export const isJsonObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Own member of a record: others may name a key like a method of Object. */
export const ownMember = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined

/** Fails to compile where a union has a case that nobody handled. */
export function assertNever(value: never): never {
  throw new TypeError(`unhandled case: ${JSON.stringify(value)}`)
}

/** Value at a JSON Pointer (RFC 6901), through objects only. */
export function valueAt(value: JsonObject, pointer: string): Json | undefined {
  let at: Json | undefined = value
  for (const name of pointerNames(pointer)) {
    if (!isJsonObject(at) || !Object.hasOwn(at, name)) return undefined
    at = at[name]
  }
  return at
}

/** Member of an object by name, or item of a list by index. */
export function childOf(value: Json | undefined, name: string): Json | undefined {
  if (Array.isArray(value)) return (value as readonly Json[])[Number(name)]
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

/** Value at a JSON Pointer, through objects and lists. */
export const valueAtPlace = (value: Json, pointer: string): Json | undefined =>
  pointerNames(pointer).reduce<Json | undefined>(childOf, value)

export const pointerTo = (...names: readonly string[]): string =>
  names.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

export const pointerNames = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
