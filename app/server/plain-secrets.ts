// Which values of a definition are secrets that stand there as plain text. A guess from their names and their looks, used
// to offer a better place; nothing is hidden by it alone.
import { looksSecret, maskText } from '../consent/secret-names.ts'
import { type ServerDefinition, secretMask } from './definition.ts'
import { referencesIn } from './references.ts'
import { type OAuthSettings, oauthSecrets } from './sign-in.ts'

/** A secret of how one signs in, among the other values: no header can be named so. */
export const oauthValueName = (name: (typeof oauthSecrets)[number]): string => `oauth ${name}`

/** Variables or headers, by name, and the secrets of the sign-in. */
export const valuesOf = (definition: ServerDefinition): Readonly<Record<string, string>> => {
  if (definition.transport === 'builtin') return {}
  if (definition.transport === 'stdio') return definition.env
  const { headers, oauth } = definition
  const secrets = oauthSecrets.flatMap((name) => (oauth?.[name] === undefined ? [] : [[oauthValueName(name), oauth[name]] as const]))
  return { ...headers, ...Object.fromEntries(secrets) }
}

/** The definition with these in their places. */
export function withValues(definition: ServerDefinition, values: Readonly<Record<string, string>>): ServerDefinition {
  if (definition.transport === 'builtin') return definition
  if (definition.transport === 'stdio') return { ...definition, env: { ...values } }
  const headers = { ...values }
  const oauth: OAuthSettings = { ...definition.oauth }
  for (const name of oauthSecrets) {
    const value = headers[oauthValueName(name)]
    delete headers[oauthValueName(name)]
    if (value === undefined) delete oauth[name]
    else oauth[name] = value
  }
  return { ...definition, headers, ...(definition.oauth ? { oauth } : {}) }
}

/** It is looked up at the start already. */
export const isLookedUp = (value: string): boolean => referencesIn(value).some(({ kind }) => kind !== 'place')

export const isPlainSecret = (name: string, value: string): boolean =>
  value !== '' && !isLookedUp(value) && (looksSecret(name) || value === secretMask || maskText(value) !== value)

/** The names of those. */
export const plainSecretsOf = (definition: ServerDefinition): string[] =>
  Object.entries(valuesOf(definition)).flatMap(([name, value]) => (isPlainSecret(name, value) ? [name] : []))
