// What is wrong with a value by its schema, place by place: `@cfworker/json-schema` decides (it interprets, so that no
// schema becomes code), in words of ours. The page checks while the person types, and a server wrote the schema: patterns
// that could take long, and work without end, are left to the server (`unchecked`).
import { type OutputUnit, type SchemaDraft, Validator } from '@cfworker/json-schema'
import type { Json, JsonObject } from '../json.ts'
import { leavesOf } from './check-leaves.ts'
import { errorsOf } from './check-words.ts'
import { TooMuch, tamed } from './tame.ts'

export type Checked =
  /** By JSON Pointer, a sentence each. None: it fits. */
  | { readonly kind: 'checked'; readonly errors: Readonly<Record<string, string>> }
  /** The schema cannot be used, which says nothing about the value. */
  | { readonly kind: 'unchecked'; readonly because: 'too-much' | 'schema' }

export type Check = (value: Json) => Checked

/** Characters of a value's JSON. */
const LARGEST_VALUE = 300_000

const drafts: readonly [mark: string, draft: SchemaDraft][] = [
  ['draft-04', '4'],
  ['draft-06', '7'],
  ['draft-07', '7'],
  ['2019-09', '2019-09'],
]

/** Prepares the schema once, for many values. */
export function createCheck(schema: JsonObject): Check {
  const named = typeof schema['$schema'] === 'string' ? schema['$schema'] : ''
  const draft = drafts.find(([mark]) => named.includes(mark))?.[1] ?? '2020-12'
  const steps = { left: 0 }
  let validator: Validator | undefined
  let unusable: Checked | undefined
  return (value) => {
    if (unusable) return unusable
    try {
      if (JSON.stringify(value).length > LARGEST_VALUE) return { kind: 'unchecked', because: 'too-much' }
      steps.left = MOST_STEPS
      validator ??= new Validator(tamed(schema, steps) as ConstructorParameters<typeof Validator>[0], draft, false)
      steps.left = MOST_STEPS
      const { valid, errors } = validator.validate(value)
      return { kind: 'checked', errors: valid ? {} : errorsOf(leavesOf(errors as OutputUnit[]), value, schema) }
    } catch (error) {
      // A schema that refers to itself without end runs out of stack.
      const because = error instanceof TooMuch || error instanceof RangeError ? 'too-much' : 'schema'
      if (!validator) unusable = { kind: 'unchecked', because }
      return { kind: 'unchecked', because }
    }
  }
}

/** Looks at one part of the schema for one part of the value: some 30 ms. */
const MOST_STEPS = 10_000
