// Rows in a tool's result: an array of flat objects, wherever a result usually has it.
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'

type Flat = { readonly [key: string]: null | boolean | number | string }

const isFlat = (value: unknown): value is Flat =>
  isJsonObject(value) && Object.values(value).every((field) => field === null || typeof field !== 'object')

export interface Found {
  readonly rows: readonly Flat[]
  /** What stands beside the rows, if anything: counts, totals. */
  readonly facts: Flat
}

/** The rows of `{invoices: […]}` or of a bare array; a flat object alone gives its fields as facts. */
export function recordsIn(value: Json | undefined): Found | undefined {
  if (Array.isArray(value)) return value.length > 0 && value.every(isFlat) ? { rows: value, facts: {} } : undefined
  if (!isJsonObject(value)) return undefined
  const entries = Object.entries(value)
  const tables = entries.filter(([, field]) => Array.isArray(field))
  const facts = entries.filter(([, field]) => field === null || typeof field !== 'object')
  if (facts.length + tables.length !== entries.length || tables.length > 1) return undefined
  const rows = (tables[0]?.[1] ?? []) as readonly Json[]
  return rows.every(isFlat) ? { rows, facts: Object.fromEntries(facts) as Flat } : undefined
}

/** The one row that any of the references names; undefined when none does, or several do. */
export function rowNamed(rows: readonly Flat[], references: readonly string[]): JsonObject | undefined {
  for (const reference of references) {
    const plain = reference.replace(/^#/, '').toLowerCase()
    const exact = rows.filter((row) => Object.values(row).some((field) => String(field).toLowerCase() === plain))
    const near =
      exact.length > 0 ? exact : rows.filter((row) => Object.values(row).some((field) => String(field).toLowerCase().includes(plain)))
    if (near.length === 1) return near[0]
  }
  return undefined
}
