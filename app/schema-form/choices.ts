// A schema that names the values that it may have: `enum`, with names beside it or not, or a list of titled constants.
import { canonicalJson } from '../canonical-json.ts'
import { isJsonObject, type Json, type JsonObject } from '../json.ts'

export interface Choice {
  readonly value: Json
  /** The server's word for it. */
  readonly title?: string
}

/** More are written as JSON. */
const MOST_CHOICES = 1000

export function choicesOf(schema: JsonObject): readonly Choice[] | undefined {
  const listed = schema['enum']
  if (Array.isArray(listed)) {
    const names: readonly Json[] = Array.isArray(schema['enumNames']) ? schema['enumNames'] : []
    const choices = (listed as readonly Json[]).map((value, index) => choice(value, names[index]))
    return choices.length > 0 && choices.length <= MOST_CHOICES ? choices : undefined
  }
  const titled = schema['oneOf'] ?? schema['anyOf']
  if (!Array.isArray(titled) || titled.length === 0 || titled.length > MOST_CHOICES) return undefined
  const choices: Choice[] = []
  for (const one of titled as readonly Json[]) {
    if (!isJsonObject(one) || one['const'] === undefined) return undefined
    if (Object.keys(one).some((key) => !['const', 'title', 'description', 'type', 'deprecated'].includes(key))) return undefined
    choices.push(choice(one['const'], one['title']))
  }
  return choices
}

const choice = (value: Json, title: Json | undefined): Choice => ({
  value,
  ...(typeof title === 'string' && title !== value ? { title } : {}),
})

/** -1: it is none of them. */
export const indexOfChoice = (choices: readonly Choice[], value: Json): number => {
  const key = canonicalJson(value)
  return choices.findIndex((one) => canonicalJson(one.value) === key)
}
