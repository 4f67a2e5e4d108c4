// Where in a text a secret stands: after `--api-key=`, after `Authorization: Bearer `, in the query of an address, or by its
// own shape. A guess from names and looks, as everything in `plain-secrets.ts`.
import { looksSecret, maskText } from '../consent/secret-names.ts'

export interface SecretPart {
  readonly start: number
  readonly end: number
  /** What it is called there. */
  readonly label: string
}

/** The name of a scheme stays in the file: a person who enters the value later has only the token. */
const scheme = /^(?:Bearer|Basic|Token|ApiKey|Api-Key) +(?=\S)/i
/** `MY_KEY`, `X-Team-Key` with a value that people do not think up. */
const keyName = /(?:^|[-_. a-z])key$/i
const madeUp = (value: string): boolean => value.length >= 8 && /\d/.test(value) && /[a-z]/i.test(value) && !/[\s/\\]/.test(value)
/** A password in an address, and a header within a value. Bounded: an argument may be a megabyte of letters. */
const carries = /[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/:@]*:[^\s/@]+@|\b(?:Bearer|Basic) +[\w.~+/=-]{8,}/i

export const isSecretValue = (name: string, value: string): boolean =>
  value !== '' &&
  (looksSecret(name) || (keyName.test(name) && madeUp(value.replace(scheme, ''))) || carries.test(value) || maskText(value) !== value)

export const afterScheme = (value: string): number => scheme.exec(value)?.[0].length ?? 0

/** Of an argument; `before`: the one before it. */
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

/** Values in the query of a web address. */
export function secretsInAddress(text: string): SecretPart[] {
  if (!/^https?:\/\//i.test(text)) return []
  return [...text.matchAll(/[?&]([\w.~%-]+)=([^&#]+)/g)].flatMap(([whole, name = '', value = ''], index, all) => {
    const start = (all[index]?.index ?? 0) + whole.length - value.length
    return isSecretValue(name, value) ? [{ start, end: start + value.length, label: name }] : []
  })
}
