// Which values of a definition are secrets that stand there as plain text. A guess from their names and their looks, used
// to offer a better place; nothing is hidden by it alone.
import { looksSecret, maskText } from '../consent/secret-names.ts'
import { type ServerDefinition, secretMask } from './definition.ts'
import { referencesIn } from './references.ts'

/** Variables or headers, by name. */
export const valuesOf = (definition: ServerDefinition): Readonly<Record<string, string>> => {
  if (definition.transport === 'builtin') return {}
  return definition.transport === 'stdio' ? definition.env : definition.headers
}

/** It is looked up at the start already. */
export const isLookedUp = (value: string): boolean => referencesIn(value).some(({ kind }) => kind !== 'place')

export const isPlainSecret = (name: string, value: string): boolean =>
  value !== '' && !isLookedUp(value) && (looksSecret(name) || value === secretMask || maskText(value) !== value)

/** The names of those. */
export const plainSecretsOf = (definition: ServerDefinition): string[] =>
  Object.entries(valuesOf(definition)).flatMap(([name, value]) => (isPlainSecret(name, value) ? [name] : []))
