// Canonical JSON (after RFC 8785), for hashes and comparisons: keys in UTF-16 order, no white space.
import type { Json } from './json.ts'

export function canonicalToolJson(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((item: Json) => canonicalToolJson(item ?? null)).join(',')}]`
  const parts: string[] = []
  const object = value as { readonly [key: string]: Json | undefined }
  for (const key of Object.keys(object).sort((a, b) => (a < b ? -1 : 1))) {
    const item = object[key]
    if (item !== undefined) parts.push(`${JSON.stringify(key)}:${canonicalToolJson(item)}`)
  }
  return `{${parts.join(',')}}`
}
