// Guesses secrets by name and form: masked in the audit log, and warned of in forms. It errs on the side of masking; no protection
// depends on it alone.
import { isJsonObject, type Json } from '../json.ts'

export const MASK = '•••'

const SECRET_NAME =
  /pass(?:word|wd|phrase|code)|^pass$|^pwd$|^pin$|secret|token|api[-_. ]?key|access[-_. ]?key|private[-_. ]?key|credential|authori[sz]ation|^auth$|bearer|cookie|session[-_. ]?id|one[-_. ]?time|^otp$|cvv|cvc|card[-_. ]?number|iban|social[-_. ]?security|^ssn$/i
/** Patterns of keys and tokens, linear in the length of the text. */
const SECRET_VALUE =
  /\bsk-[\w-]{16,}|\bassent_mcp_[\w-]{20,}|\bgh[pousr]_\w{20,}|\bgithub_pat_\w{20,}|\bxox[abeprs]-[\w-]{10,}|\bAKIA[0-9A-Z]{16}\b|\bAIza[\w-]{30,}|(?<![\w-])eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*|-----BEGIN [A-Z ]*PRIVATE KEY-----/g

/** Whether a name looks secret; `apiKey`, `api_key` and `API-KEY` alike. */
export const looksSecret = (name: string): boolean => SECRET_NAME.test(name.replace(/([a-z0-9])([A-Z])/g, '$1_$2'))

const WIDE_NAME = /key|token|secret|passw|pwd|auth|credential|cookie|session|private|signature/i

/** Wider guess for variables and headers, where masking too much is harmless (`SSH_AUTH_SOCK`, `MONKEY`). */
export const mayBeSecret = (name: string): boolean => WIDE_NAME.test(name) || looksSecret(name)

/** Masks keys and tokens in text. */
export const maskText = (text: string): string => text.replace(SECRET_VALUE, MASK)

/** Masks values under secret names, and keys and tokens anywhere. */
export function maskSecrets(value: Json): Json {
  if (typeof value === 'string') return maskText(value)
  if (Array.isArray(value)) return value.map((item: Json) => maskSecrets(item))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, looksSecret(key) && item !== null ? MASK : maskSecrets(item)]))
}

/** Masks `--token=…`, the word after `--token`, and keys in program arguments. */
export function maskArgs(args: readonly string[]): string[] {
  let next = false
  return args.map((arg) => {
    const hidden = next && !arg.startsWith('-')
    next = false
    if (hidden) return MASK
    const [, name, value] = /^-{0,2}([\w.-]+)(?:=([\s\S]*))?$/.exec(arg) ?? []
    if (name !== undefined && looksSecret(name)) {
      if (value !== undefined) return `${arg.slice(0, arg.indexOf('=') + 1)}${MASK}`
      next = arg.startsWith('-')
    }
    return maskText(maskUrl(arg))
  })
}

export const maskVariable = ({ name, value }: { readonly name: string; readonly value: string }): string =>
  looksSecret(name) ? MASK : maskText(maskUrl(value))

/** Lists what `maskArgs` masks, except parts of addresses. */
export function secretArgs(args: readonly string[]): string[] {
  return maskArgs(args).flatMap((shown, index) => {
    const arg = args[index] ?? ''
    if (shown === MASK) return [arg]
    if (shown.endsWith(`=${MASK}`) && !/^https?:/i.test(arg)) return [arg.slice(shown.length - MASK.length)]
    return arg.match(SECRET_VALUE) ?? []
  })
}

/** Masks query values, fragment and user information of a web address. */
export function maskUrl(text: string): string {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return text
  const url = new URL(text)
  const query = [...url.searchParams.keys()].map((key) => `${encodeURIComponent(key)}=${MASK}`).join('&')
  const changed = query !== '' || url.hash !== '' || url.username !== '' || url.password !== ''
  return changed ? `${url.origin}${url.pathname}${query && `?${query}`}${url.hash && `#${MASK}`}` : text
}
