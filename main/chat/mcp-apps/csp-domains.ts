// Origins that a UI resource declares (`_meta.ui.csp`). An entry that is anything but one origin is refused whole: a `;`, a quote or
// a space in it would change the Content-Security-Policy that is made of it.
import { isIP } from 'node:net'
import { isJsonObject, type Json } from '#app/json.ts'
import type { McpAppDomains, RefusedDomain } from '#app/mcp-apps/csp-domains.ts'
import { registrableDomain } from '#app/text/host-name.ts'
import { reachOfHost } from '#main/base/network/address-policy.ts'

const mostOfAList = 32
const mostRefused = 32

/** Scheme, wildcard, host, port. Host and port are then parsed as a URL, which tells `0x7f.1` from a name. */
const originPattern =
  /^(https?|wss?):\/\/(\*\.)?((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*|\[[0-9a-f:.]+\])(:\d{1,5})?\/?$/i

type Read = { readonly source: string } | { readonly why: RefusedDomain['why'] }

/** Parses the declared origins. `own`: URL of the server itself, the only address in a private network that it may name. */
export function readDomains(csp: Json | undefined, own?: string, domain?: Json) {
  const declared = isJsonObject(csp) ? csp : {}
  const refused: RefusedDomain[] = []
  const refuse = (text: Json, why: RefusedDomain['why']): void => {
    if (refused.length < mostRefused)
      refused.push({ text: (typeof text === 'string' ? text : JSON.stringify(text)).slice(0, 300).toWellFormed(), why })
  }
  const list = (name: string, read: (text: string) => Read): string[] => {
    const value = declared[name]
    if (value === undefined || value === null) return []
    if (!Array.isArray(value)) {
      refuse(value, 'not-an-origin')
      return []
    }
    const found = new Set<string>()
    for (const one of value as readonly Json[]) {
      const origin = typeof one === 'string' && one.length <= 300 ? read(one) : { why: 'not-an-origin' as const }
      if ('why' in origin) refuse(one, origin.why)
      else if (found.size >= mostOfAList) refuse(one, 'too-many')
      else found.add(origin.source)
    }
    return [...found]
  }
  const origins = (name: string): string[] => list(name, (text) => readOrigin(text, own))
  const domains: McpAppDomains = {
    connect: origins('connectDomains'),
    resource: origins('resourceDomains'),
    baseUri: origins('baseUriDomains'),
  }
  list('frameDomains', () => ({ why: 'frames' }))
  // Each view has an opaque origin: with one that lasts it could keep what it learns from chat to chat.
  if (typeof domain === 'string' && domain !== '') refuse(domain, 'origin')
  return { domains, refused }
}

function readOrigin(text: string, own: string | undefined): Read {
  const [, scheme = '', wildcard = '', host = '', port = ''] = originPattern.exec(text) ?? []
  const address = `${scheme}://${host}${port}`
  if (host === '' || !URL.canParse(address)) return { why: 'not-an-origin' }
  const url = new URL(address)
  const isOwn = wildcard === '' && own !== undefined && URL.canParse(own) && new URL(own).host === url.host
  const source = `${url.protocol}//${wildcard}${url.host}`
  if (wildcard !== '' && !hasOwner(url.hostname)) return { why: 'wildcard' }
  if (!isOwn && isInner(url.hostname)) return { why: 'private' }
  if (!isOwn && (url.protocol === 'http:' || url.protocol === 'ws:')) return { why: 'insecure' }
  return { source }
}

/** Whether all names below the host belong to one owner: no top-level domain, and none where anybody can register a name. */
const hasOwner = (host: string): boolean => isIP(host) === 0 && host.includes('.') && registrableDomain(`x.${host}`) !== `x.${host}`

const innerNames = /(?:^|\.)(?:local|localdomain|internal|intranet|lan|home|corp|private|arpa|onion)$/

/** Whether the name alone says that the host is private. A public name of a private address is for the browser to refuse. */
function isInner(host: string): boolean {
  const reach = reachOfHost(host)
  if (reach !== undefined) return reach !== 'public'
  return !host.includes('.') || innerNames.test(host)
}
