// Compares the domain of a page that a server wants to open with the server's own. Without a list of public suffixes only the same
// host, or the same registrable domain by a rule of thumb, counts as related. Ownership is never claimed.

import { registrableDomain } from '#app/text/host-name.ts'
import { skeletonOf } from '#app/text/look-alike.ts'
import { unicodeHost } from '#app/text/punycode.ts'

export type PageDomain =
  /** The server has no address: it is local, or its URL is invalid. */
  | { readonly kind: 'no-address' }
  | { readonly kind: 'same-host'; readonly host: string }
  | { readonly kind: 'same-ending'; readonly domain: string }
  /** `looksLike`: the two domains could be confused. */
  | { readonly kind: 'other'; readonly page: string; readonly server: string; readonly looksLike: boolean }

/** Host without a trailing dot: `a.example.` is the same host. */
const hostOf = (url: string): string | undefined =>
  /^https?:/i.test(url) && URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, '') : undefined

/** Compares hosts only, not ports or user names. `server`: its address, if it has one. */
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

/** Non-ASCII letters in the host of an address, each once, in order. */
export function foreignLetters(url: string): readonly { readonly letter: string; readonly code: string }[] {
  const letters = [...unicodeHost(hostOf(url) ?? '')].filter((letter) => letter > '\u007f')
  return [...new Set(letters)].map((letter) => ({
    letter,
    code: `U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
  }))
}
