// HTTP around a message as it may be shown: the start line, and the informative headers without credentials.
import { looksSecret, MASK, maskUrl } from '#app/text/secret-names.ts'

/** Headers that every server sends and nobody looks for. */
const boring =
  /^(?:accept-encoding|accept-language|access-control-.*|alt-svc|cache-control|connection|content-length|content-security-policy|cross-origin-.*|date|etag|keep-alive|nel|permissions-policy|pragma|priority|referrer-policy|report-to|reporting-endpoints|sec-.*|server-timing|strict-transport-security|transfer-encoding|vary|via|x-content-type-options|x-frame-options|x-powered-by|x-xss-protection|cf-.*|expires)$/i
const mostHeaders = 40
const longestValue = 1000

export function shownHeaders(headers: Iterable<readonly [string, string]>, mask: (text: string) => string) {
  const shown: { readonly name: string; readonly value: string }[] = []
  for (const [name, value] of headers) {
    if (shown.length === mostHeaders) break
    if (!boring.test(name)) shown.push({ name: name.slice(0, longestValue), value: shownValue(name, value, mask) })
  }
  return shown
}

function shownValue(name: string, value: string, mask: (text: string) => string): string {
  // Its scheme is no secret, and often what is wrong with it.
  if (/^(?:proxy-)?authorization$/i.test(name)) return /^[A-Za-z]+ /.test(value) ? `${value.split(' ')[0]} ${MASK}` : MASK
  if (/^dpop$/i.test(name) || looksSecret(name)) return MASK
  const short = value.length > longestValue ? `${value.slice(0, longestValue)}…` : value
  return mask(/^(?:content-)?location$/i.test(name) ? maskUrl(short) : short)
}

export const requestLine = (method: string, url: string): string => `${method} ${maskUrl(url)}`
