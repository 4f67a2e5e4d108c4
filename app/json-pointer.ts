import { isJsonObject, type Json, type JsonObject } from './json.ts'

/** By JSON Pointer (RFC 6901), through objects only. */
export function valueAt(value: JsonObject, pointer: string): Json | undefined {
  let at: Json | undefined = value
  for (const name of pointerNames(pointer)) {
    if (!isJsonObject(at) || !Object.hasOwn(at, name)) return undefined
    at = at[name]
  }
  return at
}

export const pointerTo = (...names: readonly string[]): string =>
  names.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

export const pointerNames = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
