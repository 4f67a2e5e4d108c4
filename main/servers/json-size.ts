import type { Json } from '#app/json.ts'

/** About how many bytes a value takes as JSON text, without making the text. Escapes are not counted. */
export function jsonSize(value: Json): number {
  let size = 0
  const open: Json[] = [value]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'string') size += Buffer.byteLength(next) + 2
    else if (next === null || typeof next !== 'object') size += String(next).length
    else if (Array.isArray(next)) {
      size += 1 + Math.max(next.length, 1)
      for (const item of next) open.push(item)
    } else {
      const entries = Object.entries(next)
      size += 1 + Math.max(entries.length, 1)
      for (const [key, item] of entries) {
        size += Buffer.byteLength(key) + 3
        open.push(item)
      }
    }
  }
  return size
}
