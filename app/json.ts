// JSON on the wire, on disk, and between host and page.
import { z } from 'zod'

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }

export const isJsonObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

/** An object parsed from JSON. Its depths are not walked: what parsed it has already vouched for them. */
export const jsonObject = z.custom<JsonObject>(isJsonObject, 'expected an object')
/** Any JSON value; not walked either. */
export const json = z.custom<Json>((value) => value !== undefined, 'expected a value')

/** Object of members of one kind under any key. `__proto__` is a key like any other, which `z.record` drops. */
export const mapOf = <T extends z.ZodType>(item: T, key: z.ZodType = z.string()) =>
  z.custom<Record<string, z.infer<T>>>(isJsonObject, 'expected an object').transform((value, context): Record<string, z.infer<T>> => {
    const members = Object.entries(value).map(([name, one]) => {
      const [named, parsed] = [key.safeParse(name), item.safeParse(one)]
      for (const { message, path } of [...(named.error?.issues ?? []), ...(parsed.error?.issues ?? [])])
        context.addIssue({ code: 'custom', message, path: [name, ...path] })
      return [name, parsed.data] as const
    })
    // Defines each member as its own, `__proto__` too.
    return Object.fromEntries(members) as Record<string, z.infer<T>>
  })

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
