// Schemas of JSON values. Apart from `json.ts`, since the page starts without zod.
import { z } from 'zod'
import { isJsonObject, type Json, type JsonObject } from './json.ts'

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
