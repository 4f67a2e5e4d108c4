// Finds secrets that stand in a definition as plain text: by name, by form, after `--api-key=` or `Authorization: Bearer `, or in
// the query of an address. It is a guess, used to offer the secret store; nothing is hidden by it alone.
import { looksSecret, maskText } from '#app/text/secret-names.ts'
import { type OAuthSettings, oauthSecrets } from '../auth-status.ts'
import { type ServerDefinition, secretMask } from '../definition.ts'
import { referencesIn } from './variable-references.ts'

interface SecretPart {
  readonly start: number
  readonly end: number
  readonly label: string
}

/** Authentication schemes, which stay in the file: the person enters only the token. */
const scheme = /^(?:Bearer|Basic|Token|ApiKey|Api-Key) +(?=\S)/i
/** Names such as `MY_KEY`, whose value looks random. */
const keyName = /(?:^|[-_. a-z])key$/i
const madeUp = (value: string): boolean => value.length >= 8 && /\d/.test(value) && /[a-z]/i.test(value) && !/[\s/\\]/.test(value)
/** Passwords in an address, and credentials within a value. Bounded: an argument may be a megabyte. */
const carries = /[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/:@]*:[^\s/@]+@|\b(?:Bearer|Basic) +[\w.~+/=-]{8,}/i

export const isSecretValue = (name: string, value: string): boolean =>
  value !== '' &&
  (looksSecret(name) || (keyName.test(name) && madeUp(value.replace(scheme, ''))) || carries.test(value) || maskText(value) !== value)

const afterScheme = (value: string): number => scheme.exec(value)?.[0].length ?? 0

/** Finds secrets in an argument. `before`: the argument before it. */
export function secretsInArgument(text: string, before: string | undefined): SecretPart[] {
  const address = secretsInAddress(text)
  if (address.length > 0) return address
  const [, lead = '', name = '', value = ''] = /^(-{0,2}([\w.-]+)(?:=|: ?))([\s\S]+)$/.exec(text) ?? []
  if (value !== '' && !/^https?:/i.test(text) && isSecretValue(name, value))
    return [{ start: lead.length + afterScheme(value), end: text.length, label: name }]
  const option = /^--?([\w.-]+)$/.exec(before ?? '')?.[1]
  if (option !== undefined && !text.startsWith('-') && isSecretValue(option, text))
    return [{ start: afterScheme(text), end: text.length, label: option }]
  return maskText(text) === text && !carries.test(text) ? [] : [{ start: 0, end: text.length, label: 'value' }]
}

export function secretsInAddress(text: string): SecretPart[] {
  if (!/^https?:\/\//i.test(text)) return []
  return [...text.matchAll(/[?&]([\w.~%-]+)=([^&#]+)/g)].flatMap(([whole, name = '', value = ''], index, all) => {
    const start = (all[index]?.index ?? 0) + whole.length - value.length
    return isSecretValue(name, value) ? [{ start, end: start + value.length, label: name }] : []
  })
}

/** Name of an OAuth secret among the other values; no header or variable has a space. */
export const oauthValueName = (name: (typeof oauthSecrets)[number]): string => `oauth ${name}`
const argumentName = (index: number): string => `argument ${index + 1}`
const addressName = 'its address'

/** Lists variables, headers, arguments, the address and OAuth secrets by name. */
export function namedValuesOf(definition: ServerDefinition): Readonly<Record<string, string>> {
  if (definition.transport === 'builtin') return {}
  if (definition.transport === 'stdio')
    return { ...Object.fromEntries(definition.args.map((arg, index) => [argumentName(index), arg])), ...definition.env }
  const { headers, oauth, url } = definition
  const secrets = oauthSecrets.flatMap((name) => (oauth?.[name] === undefined ? [] : [[oauthValueName(name), oauth[name]] as const]))
  return { [addressName]: url, ...headers, ...Object.fromEntries(secrets) }
}

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

/** Whether a value is a reference, resolved at the start. */
export const isLookedUp = (value: string): boolean => referencesIn(value).some(({ kind }) => kind !== 'place')

/** Finds the secret parts of a named value, in order; of a masked one all of it. */
export function secretPartsOf(definition: ServerDefinition, name: string, values = namedValuesOf(definition)): SecretPart[] {
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

export const plainSecretsOf = (definition: ServerDefinition): string[] => {
  const values = namedValuesOf(definition)
  return Object.entries(values).flatMap(([name, value]) => {
    const isText = name === addressName || (definition.transport === 'stdio' && !Object.hasOwn(definition.env, name))
    const wanted = isText || isSecretValue(name, value) || value === secretMask
    return wanted && secretPartsOf(definition, name, values).length > 0 ? [name] : []
  })
}
