// Names and values that look like secrets: masked in the record, and warned of in forms. A guess, made to err on the
// side of masking; what must stay secret never depends on it alone.
import { isJsonObject, type Json } from '../json.ts'

export const MASK = '•••'

const SECRET_NAME =
  /pass(?:word|wd|phrase|code)|^pass$|^pwd$|^pin$|secret|token|api[-_. ]?key|access[-_. ]?key|private[-_. ]?key|credential|authori[sz]ation|^auth$|bearer|cookie|session[-_. ]?id|one[-_. ]?time|^otp$|cvv|cvc|card[-_. ]?number|iban|social[-_. ]?security|^ssn$/i
/** Each run of letters is walked once, however long: the texts are other people's. */
const SECRET_VALUE =
  /\bsk-[\w-]{16,}|\bgh[pousr]_\w{20,}|\bgithub_pat_\w{20,}|\bxox[abeprs]-[\w-]{10,}|\bAKIA[0-9A-Z]{16}\b|\bAIza[\w-]{30,}|(?<![\w-])eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*|-----BEGIN [A-Z ]*PRIVATE KEY-----/g

/** `apiKey`, `api_key` and `API-KEY` alike. */
export const looksSecret = (name: string): boolean => SECRET_NAME.test(name.replace(/([a-z0-9])([A-Z])/g, '$1_$2'))

const WIDE_NAME = /key|token|secret|passw|pwd|auth|credential|cookie|session|private|signature/i

/** Wider: of a variable or a header of a server, whose value nobody misses who sees a mask (`SSH_AUTH_SOCK`, `MONKEY`). */
export const mayBeSecret = (name: string): boolean => WIDE_NAME.test(name) || looksSecret(name)

/** Text with what looks like a key or a token masked. */
export const maskText = (text: string): string => text.replace(SECRET_VALUE, MASK)

/** The same value with whatever stands under a secret-looking name, or looks like a key itself, masked. */
export function maskSecrets(value: Json): Json {
  if (typeof value === 'string') return maskText(value)
  if (Array.isArray(value)) return value.map((item: Json) => maskSecrets(item))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, looksSecret(key) && item !== null ? MASK : maskSecrets(item)]))
}

/** Program arguments with `--token=…`, the word after `--token`, and anything that looks like a key masked. */
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

/** The value of a variable, as it may be written down. */
export const maskVariable = ({ name, value }: { readonly name: string; readonly value: string }): string =>
  looksSecret(name) ? MASK : maskText(maskUrl(value))

/** What `maskArgs` hides of names and values, and whatever looks like a key; not the parts of addresses. */
export function secretArgs(args: readonly string[]): string[] {
  return maskArgs(args).flatMap((shown, index) => {
    const arg = args[index] ?? ''
    if (shown === MASK) return [arg]
    if (shown.endsWith(`=${MASK}`) && !/^https?:/i.test(arg)) return [arg.slice(shown.length - MASK.length)]
    return arg.match(SECRET_VALUE) ?? []
  })
}

/** A web address without what may be secret in it: the values of its query, its fragment, a name and password. */
export function maskUrl(text: string): string {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return text
  const url = new URL(text)
  const query = [...url.searchParams.keys()].map((key) => `${encodeURIComponent(key)}=${MASK}`).join('&')
  const changed = query !== '' || url.hash !== '' || url.username !== '' || url.password !== ''
  return changed ? `${url.origin}${url.pathname}${query && `?${query}`}${url.hash && `#${MASK}`}` : text
}
