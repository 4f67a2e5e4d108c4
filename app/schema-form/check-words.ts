// What a check found, in words for the place that it is about.
import { pointerTo } from '../consent/match.ts'
import { isJsonObject, type Json, type JsonObject } from '../json.ts'
import { t } from '../words/translate.ts'
import type { Leaf } from './check-leaves.ts'
import { schemaAt } from './resolve.ts'
import { isJsonType, typeWords } from './types-of.ts'

/** By JSON Pointer; the first of each place. */
export function errorsOf(leaves: readonly Leaf[], value: Json, schema: JsonObject): Record<string, string> {
  const errors = new Map<string, string>()
  const say = (place: string, words: string): void => {
    if (!errors.has(place)) errors.set(place, words)
  }
  for (const leaf of leaves) {
    const place = decodeURI(leaf.instanceLocation.slice(1)).replaceAll('%23', '#')
    const limit = limitOf(leaf, schema)
    if (leaf.keyword === 'required' || leaf.keyword === 'dependentRequired') {
      for (const name of missingAt(valueAt(value, place), leaf, limit)) say(place + pointerTo(name), t`This is needed.`)
    } else say(place, wordsOf(leaf, limit))
  }
  return Object.fromEntries(errors)
}

function missingAt(value: Json | undefined, { keyword }: Leaf, limit: Json | undefined): string[] {
  if (!isJsonObject(value)) return []
  const names = (list: Json | undefined): string[] =>
    Array.isArray(list) ? list.filter((one): one is string => typeof one === 'string') : []
  const needed =
    keyword === 'required'
      ? names(limit)
      : Object.entries(isJsonObject(limit) ? limit : {}).flatMap(([name, list]) => (Object.hasOwn(value, name) ? names(list) : []))
  return needed.filter((name) => !Object.hasOwn(value, name))
}

function valueAt(value: Json, place: string): Json | undefined {
  let at: Json | undefined = value
  for (const part of place.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(at)) at = (at as readonly Json[])[Number(name)]
    else if (isJsonObject(at) && Object.hasOwn(at, name)) at = at[name]
    else return undefined
  }
  return at
}

/** What the keyword that failed says. Its place leads through references. */
function limitOf({ keyword, keywordLocation }: Leaf, root: JsonObject): Json | undefined {
  let at: Json | undefined = root
  // Of `dependentRequired` the checker spells the place another way.
  for (const part of [...keywordLocation.split('/').slice(1, -1), keyword]) {
    const name = safeDecode(part).replaceAll('~1', '/').replaceAll('~0', '~')
    if (name === '$ref' && isJsonObject(at) && typeof at['$ref'] === 'string') at = schemaAt(at['$ref'], root)
    else if (Array.isArray(at)) at = (at as readonly Json[])[Number(name)]
    else if (isJsonObject(at) && Object.hasOwn(at, name)) at = at[name]
    else return undefined
  }
  return at
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function wordsOf({ keyword, fits, error }: Leaf, limit: Json | undefined): string {
  switch (keyword) {
    case 'type':
      return t`This has to be ${(Array.isArray(limit) ? (limit as readonly Json[]) : [limit ?? null]).map((one) => (isJsonType(one) ? typeWords()[one] : String(one))).join(' or ')}.`
    case 'enum':
      return t`One of the choices is needed.`
    case 'const':
      return t`Only ${short(limit)} is possible.`
    case 'minLength':
      return limit === 1 ? t`At least 1 character is needed.` : t`At least ${String(limit)} characters are needed.`
    case 'maxLength':
      return limit === 1 ? t`At most 1 character fits.` : t`At most ${String(limit)} characters fit.`
    case 'pattern':
      return t`The server wants the form ${String(limit)}`
    case 'minimum':
      return t`${String(limit)} is the least.`
    case 'maximum':
      return t`${String(limit)} is the most.`
    case 'exclusiveMinimum':
      return t`It has to be more than ${String(limit)}.`
    case 'exclusiveMaximum':
      return t`It has to be less than ${String(limit)}.`
    case 'multipleOf':
      return t`It has to be a multiple of ${String(limit)}.`
    case 'minItems':
      return limit === 1 ? t`At least 1 item is needed.` : t`At least ${String(limit)} items are needed.`
    case 'maxItems':
      return limit === 1 ? t`At most 1 item fits.` : t`At most ${String(limit)} items fit.`
    case 'minProperties':
      return limit === 1 ? t`At least 1 member is needed.` : t`At least ${String(limit)} members are needed.`
    case 'maxProperties':
      return limit === 1 ? t`At most 1 member fits.` : t`At most ${String(limit)} members fit.`
    case 'anyOf':
    case 'oneOf':
      return fits === 'several'
        ? t`It fits more than one of its forms, and may fit only one.`
        : t`It fits none of the forms that it may have.`
    case 'not':
      return t`The server rules this value out.`
    case 'false':
      return t`The server takes nothing here.`
    case 'contains':
    case 'minContains':
    case 'maxContains':
      return t`Its items are not those that the server needs.`
    default:
      return error
  }
}

const short = (value: Json | undefined): string => {
  const text = JSON.stringify(value ?? null)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
