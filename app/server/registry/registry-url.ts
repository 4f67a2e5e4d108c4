// Where a registry is: the address that the person sets. Only https, save for this computer; a path is fine, since
// registries of organisations often have one. What is behind the version of the API is ours to write.
import { z } from 'zod'
import { t } from '#app/i18n/translate.ts'

export const officialRegistry = 'https://registry.modelcontextprotocol.io'

const isThisComputer = (hostname: string): boolean =>
  hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)

/** Why a text is no address of a registry; undefined: it is one. */
export function registryAddressProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return t`This is no address. It begins with https://.`
  const { protocol, hostname, username, password, search, hash } = new URL(text)
  if (protocol !== 'https:' && protocol !== 'http:') return t`Only https:// addresses can be a registry.`
  if (protocol === 'http:' && !isThisComputer(hostname)) return t`Without https anybody on the way could put other servers in the list.`
  if (username !== '' || password !== '') return t`Leave the name and the password out: a registry is read without any.`
  if (search !== '' || hash !== '') return t`Leave out what follows the “?” or “#”.`
  return undefined
}

/** As it is kept: without a slash at its end, nor the part of the API that people copy along. Call it on one without a problem. */
export const tidyRegistryAddress = (text: string): string =>
  new URL(text.trim()).href.replace(/\/+$/, '').replace(/\/v0(?:\.1)?(?:\/servers)?$/, '')

export const registryAddress = z
  .string()
  .max(2048)
  .refine((text) => registryAddressProblem(text) === undefined, { error: () => t`no address of a registry` })

/** Only the official one is known to check who may use a name. */
export const isOfficialRegistry = (address: string): boolean => address === officialRegistry
