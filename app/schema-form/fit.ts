// Which of several forms a value has: the one that it fits best, so that a form shows it as what it is. Looks at types,
// constants and names only; what is wrong within is said by the check.
import { isJsonObject, type Json, type JsonObject } from '../json.ts'
import { choicesOf, indexOfChoice } from './choices.ts'
import { resolveSchema } from './resolve.ts'
import { isOfType, typesOf } from './types-of.ts'

const MOST_NAMES = 200
const DEEPEST = 3

/** The first of those that fit best; -1: it fits none. */
export function bestFit(variants: readonly Json[], value: Json, root: JsonObject): number {
  const fits = variants.map((variant) => fitOf(variant, value, root, 0))
  const best = Math.max(...fits)
  return best < 0 ? -1 : fits.indexOf(best)
}

/** Below nought: it does not fit. */
function fitOf(schema: Json, value: Json, root: JsonObject, depth: number): number {
  const resolved = resolveSchema(schema, root)
  if (!resolved) return resolved === false ? -1 : 0
  const types = typesOf(resolved)
  if (types.length > 0 && !types.some((type) => isOfType(value, type))) return -1
  if (resolved['const'] !== undefined) return indexOfChoice([{ value: resolved['const'] }], value) === 0 ? 10 : -1
  const choices = choicesOf(resolved)
  if (choices) return indexOfChoice(choices, value) >= 0 ? 5 : -1
  if (!isJsonObject(value) || depth >= DEEPEST) return 1
  const properties = isJsonObject(resolved['properties']) ? resolved['properties'] : {}
  const required: readonly Json[] = Array.isArray(resolved['required']) ? resolved['required'] : []
  let fit = 1
  for (const name of Object.keys(value).slice(0, MOST_NAMES)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (property === undefined) {
      if (resolved['additionalProperties'] === false) fit -= 2
      continue
    }
    const part = fitOf(property, value[name] ?? null, root, depth + 1)
    // Another constant: it says by itself that it is another form.
    if (part < 0 && isTelling(property, root)) return -1
    fit += part < 0 ? 0 : part
  }
  const missing = required.slice(0, MOST_NAMES).filter((name) => typeof name === 'string' && !Object.hasOwn(value, name)).length
  return Math.max(0, fit - missing * 2)
}

function isTelling(property: Json, root: JsonObject): boolean {
  const resolved = resolveSchema(property, root)
  return isJsonObject(resolved) && (resolved['const'] !== undefined || (Array.isArray(resolved['enum']) && resolved['enum'].length === 1))
}
