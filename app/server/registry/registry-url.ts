// Address of a registry, as the person sets it: https, or http on this computer. It may have a path, as registries of organisations often
// do, but not that of the API.
import { z } from 'zod'
import { t } from '#app/i18n/translate.ts'

export const officialRegistry = 'https://registry.modelcontextprotocol.io'

const isThisComputer = (hostname: string): boolean =>
  hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)

/** Says why a text is no address of a registry; undefined when it is one. */
export function registryAddressProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return t`Write the whole address, from https://`
  const { protocol, hostname, username, password, search, hash } = new URL(text)
  if (protocol !== 'https:' && protocol !== 'http:') return t`Write the whole address, from https://`
  if (protocol === 'http:' && !isThisComputer(hostname)) return t`Write the whole address, from https://`
  if (username !== '' || password !== '') return t`Leave out name, password, “?” and “#”.`
  if (search !== '' || hash !== '') return t`Leave out name, password, “?” and “#”.`
  return undefined
}

/** Removes a final slash and the path of the API, which people copy along. Call it on an address without a problem. */
export const tidyRegistryAddress = (text: string): string =>
  new URL(text.trim()).href.replace(/\/+$/, '').replace(/\/v0(?:\.1)?(?:\/servers)?$/, '')

export const registryAddress = z
  .string()
  .max(2048)
  .refine((text) => registryAddressProblem(text) === undefined, { error: () => t`Write the whole address, from https://` })

/** Tells the official registry, the only one that is known to check who may use a name. */
export const isOfficialRegistry = (address: string): boolean => address === officialRegistry
