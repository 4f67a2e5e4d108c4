import type { ServerDefinition } from '#app/server/definition.ts'
import { namedValuesOf, secretPartsOf, withValues } from '#app/server/inputs/plain-secrets.ts'
import { inputReference, inputsIn, replaceReferences } from '#app/server/inputs/variable-references.ts'
import { freeName } from '#app/text/look-alike.ts'

/** `API_KEY` → `api-key`. */
const idOf = (name: string): string =>
  name
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase()
    .slice(0, 60) || 'secret'

/** Replaces the values under `names` by references; `secrets` has them by input id. `reserved`: ids that have another meaning. */
export function keepSecrets(definition: ServerDefinition, names: readonly string[], reserved: Iterable<string>) {
  const taken = new Set([...reserved, ...inputsIn(definition)])
  const secrets = new Map<string, string>()
  const kept = Object.entries(namedValuesOf(definition)).map(([name, value]): [string, string] => {
    if (!names.includes(name)) return [name, value]
    let text = ''
    let from = 0
    for (const { start, end, label } of secretPartsOf(definition, name)) {
      const id = freeName(idOf(label), taken)
      taken.add(id)
      secrets.set(id, value.slice(start, end))
      text += value.slice(from, start) + inputReference(id)
      from = end
    }
    return [name, text + value.slice(from)]
  })
  return { definition: withValues(definition, Object.fromEntries(kept)), secrets }
}

/** Replaces references to these ids by their values again. */
export const putBack = (definition: ServerDefinition, secrets: ReadonlyMap<string, string>): ServerDefinition =>
  withValues(
    definition,
    Object.fromEntries(
      Object.entries(namedValuesOf(definition)).map(([name, value]) => [
        name,
        replaceReferences(value, (reference) => (reference.kind === 'input' ? secrets.get(reference.id) : undefined)),
      ]),
    ),
  )
