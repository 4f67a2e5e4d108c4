// New ids for the inputs of candidates. Their authors chose the ids; one that the person's own file declares stands for a value that
// other servers have, and text of others must not get that value by naming its id.
import type { ServerDefinition } from '../definition.ts'
import { inputReference, inputsIn, replaceReferences } from '../inputs/variable-references.ts'
import type { Snippet } from './candidate.ts'
import { freeName } from './server-names.ts'

/** Changes each text of a definition. Names of variables and headers stay. */
export function replacedIn(definition: ServerDefinition, change: (text: string) => string): ServerDefinition {
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return change(value)
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, walk(part)]))
  }
  // Texts become texts, so the type stays.
  return walk(definition) as ServerDefinition
}

/** Renames the inputs of a reading that are in `taken`, the ids declared here, in all of its servers. */
export function withFreshInputs(snippet: Snippet, taken: ReadonlySet<string>): Snippet {
  const named = new Set([...snippet.inputs.map(({ id }) => id), ...inputsIn(snippet.servers.map(({ definition }) => definition))])
  const fresh = new Map<string, string>()
  for (const id of named) {
    if (taken.has(id)) fresh.set(id, freeName(id, [...taken, ...named, ...fresh.values()]))
  }
  if (fresh.size === 0) return snippet
  return {
    ...snippet,
    inputs: snippet.inputs.map((input) => ({ ...input, id: fresh.get(input.id) ?? input.id })),
    servers: snippet.servers.map((server) => ({ ...server, definition: renamed(server.definition, fresh) })),
  }
}

const renamed = (definition: ServerDefinition, fresh: ReadonlyMap<string, string>): ServerDefinition =>
  replacedIn(definition, (text) =>
    replaceReferences(text, (reference) => {
      const id = reference.kind === 'input' ? fresh.get(reference.id) : undefined
      return id === undefined ? undefined : inputReference(id)
    }),
  )
