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

/** Of what comes from a server: beyond it, whoever stores, checks, shows or writes it may run out of stack. */
export const deepest = 500

/** Whether lists and objects stand within one another more than `most` deep. Is not recursive itself. */
export function isDeeperThan(value: unknown, most: number): boolean {
  let level: readonly object[] = typeof value === 'object' && value !== null ? [value] : []
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > most) return true
    const next: object[] = []
    for (const each of level)
      for (const item of Object.values(each) as unknown[]) if (typeof item === 'object' && item !== null) next.push(item)
    level = next
  }
  return false
}
