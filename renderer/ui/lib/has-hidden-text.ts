import { isJsonObject, type Json } from '#app/json.ts'
import { hasHidden } from '#app/text/hidden-characters.ts'

/** Whether a string or a name anywhere in the value holds a character that cannot be seen. */
export function anyHidden(value: Json): boolean {
  if (typeof value === 'string') return hasHidden(value)
  if (Array.isArray(value)) return value.some((item: Json) => anyHidden(item))
  if (isJsonObject(value)) return Object.entries(value).some(([name, item]) => hasHidden(name) || anyHidden(item))
  return false
}
