// New ids for the inputs of candidates. Their authors chose the ids; one that the person's own file declares stands for a value that
// other servers have, and text of others must not get that value by naming its id.

import { freeName } from '#app/text/look-alike.ts'
import type { Snippet } from '../candidate.ts'
import type { ServerDefinition } from '../definition.ts'
import { inputReference, inputsIn, replaceReferences } from '../inputs/variable-references.ts'

/** Changes each text of a definition, given the key that it stands under, and its name within that. Names stay. */
export function mapTexts<T extends ServerDefinition>(definition: T, change: (text: string, key: string, name: string) => string): T {
  const walk = (value: unknown, key: string, name: string): unknown => {
    if (typeof value === 'string') return change(value, key, name)
    if (Array.isArray(value)) return value.map((item) => walk(item, key, name))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([inner, item]) => [inner, walk(item, key, inner)]))
  }
  const { transport, ...rest } = definition
  // Texts become texts, so the type stays.
  return { ...Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, walk(value, key, key)])), transport } as T
}

/** Renames the inputs of a reading that are in `taken`, the ids declared here, in all of its servers. */
export function withFreshInputs(snippet: Snippet, taken: ReadonlySet<string>): Snippet {
  const named = new Set([...snippet.inputs.map(({ id }) => id), ...inputsIn(snippet.servers.map(({ definition }) => definition))])
  const fresh = new Map<string, string>()
  for (const id of named) if (taken.has(id)) fresh.set(id, freeName(id, [...taken, ...named, ...fresh.values()]))
  if (fresh.size === 0) return snippet
  return {
    ...snippet,
    inputs: snippet.inputs.map((input) => ({ ...input, id: fresh.get(input.id) ?? input.id })),
    servers: snippet.servers.map((server) => ({ ...server, definition: renamed(server.definition, fresh) })),
  }
}

const renamed = (definition: ServerDefinition, fresh: ReadonlyMap<string, string>): ServerDefinition =>
  mapTexts(definition, (text) =>
    replaceReferences(text, (reference) => {
      const id = reference.kind === 'input' ? fresh.get(reference.id) : undefined
      return id === undefined ? undefined : inputReference(id)
    }),
  )
