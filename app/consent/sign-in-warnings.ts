// What a person should know of a sign-in before the browser opens, beyond its address. Pure.

import { domainOf, isPunycode } from '#app/text/host-name.ts'
import { t } from '../i18n/translate.ts'
import type { SignInRequest } from './request.ts'

/**
 * `otherDomain`: server and issuer have different ones, which is frequent, and typical of a stolen sign-in. `otherPage`: it is outside
 * of the issuer's domain. `scopes`: each once, new ones in the requested order, then the rest.
 */
export function signInFacts({ resource, issuer, url, scopes, granted }: SignInRequest) {
  const [server, issuing, page] = [domainOf(resource), domainOf(issuer), domainOf(url)]
  const before = new Set(granted)
  return {
    otherDomain: server !== undefined && issuing !== undefined && server !== issuing ? { server, issuer: issuing } : undefined,
    otherPage: page !== undefined && issuing !== undefined && page !== issuing ? { issuer: issuing, page } : undefined,
    lookAlike: [resource, issuer, url].some(isPunycode),
    scopes: [...new Set([...scopes.filter((name) => !before.has(name)), ...scopes, ...granted])].map((name) => ({
      name,
      standing: before.has(name) ? ('granted' as const) : before.size > 0 ? ('new' as const) : ('asked' as const),
    })),
  }
}
export type SignInFacts = ReturnType<typeof signInFacts>

export const clientLabels = (): Record<SignInRequest['client'], string> => ({
  'pre-registered': t`by the client id of its settings`,
  'metadata-document': t`by a page that describes Assent`,
  registered: t`as “Assent”, registered there by itself`,
})
