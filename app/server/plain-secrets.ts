// Which values of a definition are secrets that stand there as plain text. A guess from their names and their looks, used
// to offer a better place; nothing is hidden by it alone.
import { type ServerDefinition, secretMask } from './definition.ts'
import { referencesIn } from './references.ts'
import { afterScheme, isSecretValue, type SecretPart, secretsInAddress, secretsInArgument } from './secret-parts.ts'
import { type OAuthSettings, oauthSecrets } from './sign-in.ts'

/** Among the other values: no header and no variable is named so. */
export const oauthValueName = (name: (typeof oauthSecrets)[number]): string => `oauth ${name}`
const argumentName = (index: number): string => `argument ${index + 1}`
const addressName = 'its address'

/** Variables, headers, arguments and the address, by name, and the secrets of the sign-in. */
export function valuesOf(definition: ServerDefinition): Readonly<Record<string, string>> {
  if (definition.transport === 'builtin') return {}
  if (definition.transport === 'stdio')
    return { ...Object.fromEntries(definition.args.map((arg, index) => [argumentName(index), arg])), ...definition.env }
  const { headers, oauth, url } = definition
  const secrets = oauthSecrets.flatMap((name) => (oauth?.[name] === undefined ? [] : [[oauthValueName(name), oauth[name]] as const]))
  return { [addressName]: url, ...headers, ...Object.fromEntries(secrets) }
}

/** The definition with these in their places. */
export function withValues(definition: ServerDefinition, values: Readonly<Record<string, string>>): ServerDefinition {
  if (definition.transport === 'builtin') return definition
  const rest = new Map(Object.entries(values))
  const take = (name: string): string | undefined => {
    const value = rest.get(name)
    rest.delete(name)
    return value
  }
  if (definition.transport === 'stdio') {
    const args = definition.args.map((arg, index) =>
      Object.hasOwn(definition.env, argumentName(index)) ? arg : (take(argumentName(index)) ?? arg),
    )
    return { ...definition, args, env: Object.fromEntries(rest) }
  }
  const oauth: OAuthSettings = { ...definition.oauth }
  for (const name of oauthSecrets) {
    const value = take(oauthValueName(name))
    if (value === undefined) delete oauth[name]
    else oauth[name] = value
  }
  const url = take(addressName) ?? definition.url
  return { ...definition, url, headers: Object.fromEntries(rest), ...(definition.oauth ? { oauth } : {}) }
}

/** It is looked up at the start already. */
export const isLookedUp = (value: string): boolean => referencesIn(value).some(({ kind }) => kind !== 'place')

/** The parts of the value under that name that are secrets, in order; of a mask all of it. */
export function secretPartsOf(definition: ServerDefinition, name: string, values = valuesOf(definition)): SecretPart[] {
  const value = Object.hasOwn(values, name) ? (values[name] ?? '') : ''
  const notYet = (parts: readonly SecretPart[]): SecretPart[] => parts.filter(({ start, end }) => !isLookedUp(value.slice(start, end)))
  if (definition.transport === 'stdio' && !Object.hasOwn(definition.env, name)) {
    const index = Number(/^argument (\d+)$/.exec(name)?.[1] ?? 0) - 1
    return notYet(secretsInArgument(value, definition.args[index - 1]))
  }
  if (name === addressName) return notYet(secretsInAddress(value))
  if (value === '' || isLookedUp(value)) return []
  return [{ start: afterScheme(value), end: value.length, label: name }]
}

/** The names of those. */
export const plainSecretsOf = (definition: ServerDefinition): string[] => {
  const values = valuesOf(definition)
  return Object.entries(values).flatMap(([name, value]) => {
    const isText = name === addressName || (definition.transport === 'stdio' && !Object.hasOwn(definition.env, name))
    const wanted = isText || isSecretValue(name, value) || value === secretMask
    return wanted && secretPartsOf(definition, name, values).length > 0 ? [name] : []
  })
}
