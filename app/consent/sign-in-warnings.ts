// What a person should know of a sign-in before the browser opens, beyond its address. Pure.
import { t } from '../i18n/translate.ts'
import { domainOf, isPunycode } from '../text/registrable-domain.ts'
import type { SignInRequest } from './request.ts'

export interface SignInFacts {
  /** Different domains of server and issuer: frequent, and typical of a stolen sign-in. */
  readonly otherDomain: { readonly server: string; readonly issuer: string } | undefined
  /** Page outside of the issuer's domain. */
  readonly otherPage: { readonly issuer: string; readonly page: string } | undefined
  readonly lookAlike: boolean
  /** Scopes, each once: new ones in the requested order, then the rest. */
  readonly scopes: readonly { readonly name: string; readonly standing: 'asked' | 'granted' | 'new' }[]
}

export function signInFacts({ resource, issuer, url, scopes, granted }: SignInRequest): SignInFacts {
  const [server, issuing, page] = [domainOf(resource), domainOf(issuer), domainOf(url)]
  const before = new Set(granted)
  return {
    otherDomain: server !== undefined && issuing !== undefined && server !== issuing ? { server, issuer: issuing } : undefined,
    otherPage: page !== undefined && issuing !== undefined && page !== issuing ? { issuer: issuing, page } : undefined,
    lookAlike: [resource, issuer, url].some(isPunycode),
    scopes: [...new Set([...scopes.filter((name) => !before.has(name)), ...scopes, ...granted])].map((name) => ({
      name,
      standing: before.has(name) ? 'granted' : before.size > 0 ? 'new' : 'asked',
    })),
  }
}

export const clientLabels = (): Record<SignInRequest['client'], string> => ({
  'pre-registered': t`by the client id of its settings`,
  'metadata-document': t`by a page that describes Assent`,
  registered: t`as “Assent”, registered there by itself`,
})
