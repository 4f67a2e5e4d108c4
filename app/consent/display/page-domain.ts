// Whether a page that a server wants opened is its own, as far as names tell. A list of public suffixes is not at hand, so
// only two things count as more than "another": the same host, and the same ending by the rule of thumb of `domain.ts`, which
// is said as what it is. Who owns a name is never claimed.

import { skeletonOf } from '#app/server/look-alike.ts'
import { unicodeHost } from '#app/text/punycode.ts'
import { registrableDomain } from '#app/text/registrable-domain.ts'

export type PageDomain =
  /** The server has no address: it runs on this computer, or what stands in its settings is none. */
  | { readonly kind: 'no-address' }
  | { readonly kind: 'same-host'; readonly host: string }
  | { readonly kind: 'same-ending'; readonly domain: string }
  /** `looksLike`: a person could take the one for the other. */
  | { readonly kind: 'other'; readonly page: string; readonly server: string; readonly looksLike: boolean }

/** Without the dot that may end it: `a.example.` is the same host. */
const hostOf = (url: string): string | undefined =>
  /^https?:/i.test(url) && URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, '') : undefined

/** `server`: its address, where it has one. Neither names nor ports of a URL count, only hosts. */
export function comparePage(page: string, server: string | undefined): PageDomain {
  const [there, own] = [hostOf(page), server === undefined ? undefined : hostOf(server)]
  if (there === undefined || own === undefined) return { kind: 'no-address' }
  if (there === own) return { kind: 'same-host', host: own }
  const [pageDomain, serverDomain] = [registrableDomain(there), registrableDomain(own)]
  // `localhost` and the like have no ending that anybody had to register.
  if (pageDomain === serverDomain && pageDomain.includes('.')) return { kind: 'same-ending', domain: pageDomain }
  const looksLike = skeletonOf(unicodeHost(pageDomain)) === skeletonOf(unicodeHost(serverDomain))
  return { kind: 'other', page: pageDomain, server: serverDomain, looksLike }
}

/** Letters of other alphabets in the host of an address, each once, in order; empty: it has none. */
export function foreignLetters(url: string): readonly { readonly letter: string; readonly code: string }[] {
  const letters = [...unicodeHost(hostOf(url) ?? '')].filter((letter) => letter > '\u007f')
  return [...new Set(letters)].map((letter) => ({
    letter,
    code: `U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
  }))
}
