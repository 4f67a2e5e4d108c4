// JSON on the wire, on disk, and between host and page.
import { z } from 'zod'

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }

export const isJsonObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

/** An object parsed from JSON. Its depths are not walked: what parsed it has already vouched for them. */
export const jsonObject = z.custom<JsonObject>(isJsonObject, 'expected an object')
/** Any JSON value; not walked either. */
export const json = z.custom<Json>((value) => value !== undefined, 'expected a value')

/** Fails to compile where a union has a case that nobody handled. */
export function assertNever(value: never): never {
  throw new TypeError(`unhandled case: ${JSON.stringify(value)}`)
}
