import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'

export interface TableData {
  readonly columns: readonly { readonly name: string; readonly numeric: boolean }[]
  /** Cells in the order of the columns; empty where a row has no such member. */
  readonly rows: readonly (readonly string[])[]
}

const mostRows = 10_000
const mostColumns = 8

const isPlain = (value: Json): boolean => value === null || typeof value !== 'object'

/** Makes a table of a list of flat objects; undefined for anything else, or when it is too large. */
export function asTable(value: Json): TableData | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > mostRows) return undefined
  const items = value as readonly Json[]
  if (!items.every((item): item is JsonObject => isJsonObject(item) && Object.values(item).every(isPlain))) return undefined
  const names = [...new Set(items.flatMap((item) => Object.keys(item)))]
  if (names.length === 0 || names.length > mostColumns) return undefined
  return {
    columns: names.map((name) => ({ name, numeric: items.every((item) => !Object.hasOwn(item, name) || typeof item[name] === 'number') })),
    rows: items.map((item) => names.map((name) => (Object.hasOwn(item, name) ? String(item[name]) : ''))),
  }
}
