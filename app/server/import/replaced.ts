import type { ServerDefinition } from '../definition.ts'

/** With each of its texts changed. Names of variables and headers stay. */
export function replacedIn(definition: ServerDefinition, change: (text: string) => string): ServerDefinition {
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return change(value)
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, walk(part)]))
  }
  // Texts are changed to texts, so the shape is what it was.
  return walk(definition) as ServerDefinition
}
