// Address of a registry, as the person sets it: https, or http on this computer. It may have a path, as registries of organisations often
// do, but not that of the API.
import { z } from 'zod'
import { t } from '#app/i18n/translate.ts'

export const officialRegistry = 'https://registry.modelcontextprotocol.io'

const isThisComputer = (hostname: string): boolean =>
  hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)

/** Says why a text is no address of a registry; undefined when it is one. */
export function registryAddressProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return t`This is no address. It begins with https://.`
  const { protocol, hostname, username, password, search, hash } = new URL(text)
  if (protocol !== 'https:' && protocol !== 'http:') return t`Only https:// addresses can be a registry.`
  if (protocol === 'http:' && !isThisComputer(hostname)) return t`Without https anybody on the way could put other servers in the list.`
  if (username !== '' || password !== '') return t`Leave the name and the password out: a registry is read without any.`
  if (search !== '' || hash !== '') return t`Leave out what follows the “?” or “#”.`
  return undefined
}

/** Removes a final slash and the path of the API, which people copy along. Call it on an address without a problem. */
export const tidyRegistryAddress = (text: string): string =>
  new URL(text.trim()).href.replace(/\/+$/, '').replace(/\/v0(?:\.1)?(?:\/servers)?$/, '')

export const registryAddress = z
  .string()
  .max(2048)
  .refine((text) => registryAddressProblem(text) === undefined, { error: () => t`no address of a registry` })

/** Tells the official registry, the only one that is known to check who may use a name. */
export const isOfficialRegistry = (address: string): boolean => address === officialRegistry
