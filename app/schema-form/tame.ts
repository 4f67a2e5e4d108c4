// A copy of a server's schema that is safe to check by in the page: expressions that may take long and formats are left
// out (`formats.ts` has ours), and each look at a part of it is counted, so that a check ends.
import { safePattern } from '../consent/safe-pattern.ts'
import { isJsonObject, type Json, type JsonObject } from '../json.ts'

export class TooMuch extends Error {}

/** Parts of a schema. */
const MOST_PARTS = 5_000
const DEEPEST = 200
/** Their expressions run at each key that is pressed. */
const MOST_PATTERNS = 50
const listsOf: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
const mapsOf: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions', 'dependentSchemas', 'patternProperties'])
const data: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples', 'required', 'type', 'dependentRequired'])

/** `steps.left` goes down with each look; below nought it throws `TooMuch`. */
export function tamed(schema: JsonObject, steps: { left: number }): JsonObject {
  let parts = MOST_PARTS
  let patterns = MOST_PATTERNS
  const isSafe = (pattern: string): boolean => {
    if (safePattern(pattern) === undefined || patterns <= 0) return false
    patterns -= 1
    return true
  }

  function copy(value: Json, depth: number): Json {
    if (Array.isArray(value)) return (value as readonly Json[]).map((one) => copy(one, depth))
    if (!isJsonObject(value)) return value
    parts -= 1
    if (parts < 0 || depth > DEEPEST) throw new TooMuch()
    const entries = Object.entries(value).flatMap(([key, one]): [string, Json][] => {
      if (key === '$ref' || key === 'format' || key === 'uniqueItems') return []
      if (key === 'pattern') return typeof one === 'string' && isSafe(one) ? [[key, one]] : []
      if (data.has(key)) return [[key, one]]
      if (key === 'patternProperties') return isJsonObject(one) && Object.keys(one).every(isSafe) ? [[key, copyMap(one, depth)]] : []
      if (mapsOf.has(key)) return isJsonObject(one) ? [[key, copyMap(one, depth)]] : []
      if (listsOf.has(key) && !Array.isArray(one)) return []
      return [[key, copy(one, depth + 1)]]
    })
    // Which names stay over for it, nobody can say then.
    const kept = entries.some(([key]) => key === 'patternProperties') || value['patternProperties'] === undefined
    const taken = kept ? entries : entries.filter(([key]) => key !== 'additionalProperties' && key !== 'unevaluatedProperties')
    return counted(Object.fromEntries(taken), value['$ref'], steps)
  }
  const copyMap = (map: JsonObject, depth: number): JsonObject =>
    Object.fromEntries(Object.entries(map).map(([name, one]) => [name, copy(one, depth + 1)]))

  return copy(schema, 0) as JsonObject
}

/** The checker reads `$ref` of each part that it looks at. */
function counted(part: JsonObject, reference: Json | undefined, steps: { left: number }): JsonObject {
  Object.defineProperty(part, '$ref', {
    get() {
      steps.left -= 1
      if (steps.left < 0) throw new TooMuch()
      return typeof reference === 'string' ? reference : undefined
    },
  })
  return part
}
