// Guards of the listeners on 127.0.0.1. A pure function judges every request and every upgrade before anything else reads it: its address,
// its origin, its method and headers, and its secret. There is no proxy in front of them, so a request that claims to be forwarded is refused.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { diagramPath, mcpAppIdOf } from '#app/contract/csp.ts'

export interface GuardedRequest {
  readonly upgrade: boolean
  readonly method: string
  /** Request target as it was sent. */
  readonly target: string
  /** Names and values in turn, as they came, so that a repeated header shows. */
  readonly rawHeaders: readonly string[]
  /** Whether the request has a valid cookie of this shell. */
  readonly known: boolean
}

type RefusalReason =
  | 'target'
  | 'method'
  | 'host'
  | 'forwarded'
  | 'body'
  | 'origin'
  | 'site'
  | 'prefetch'
  | 'framed'
  | 'worker'
  | 'upgrade'
  | 'cookie'
  | 'token'
  | 'path'

export type GuardVerdict =
  | { readonly kind: 'enter'; readonly place: string }
  /** The page was requested with a token, with or without a cookie. `fromElsewhere`: only a valid token opens it. */
  | { readonly kind: 'exchange'; readonly token: string; readonly fromElsewhere?: true }
  | { readonly kind: 'refuse'; readonly status: 400 | 401 | 403 | 404 | 405 | 413 | 421; readonly why: RefusalReason }

const refuse = (status: Extract<GuardVerdict, { kind: 'refuse' }>['status'], why: RefusalReason): GuardVerdict => ({
  kind: 'refuse',
  status,
  why,
})

const forwarding = /^(forwarded|via|x-real-ip|x-client-ip|x-original-.*|x-rewrite-url|x-http-method.*|x-forwarded.*|x-host)$/

function headersOf(raw: readonly string[]): Map<string, string[]> {
  const headers = new Map<string, string[]>()
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = (raw[i] ?? '').toLowerCase()
    headers.set(name, [...(headers.get(name) ?? []), raw[i + 1] ?? ''])
  }
  return headers
}

/** Target of plain characters: no escapes, no dot segments, no empty segments, no absolute form. */
const plainPath = /^\/(?:[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*)?$/
const tokenQuery = /^token=([A-Za-z0-9_-]{1,200})$/

/** `hosts`: all that a request may name, with their ports. */
export function judgeRequest(request: GuardedRequest, hosts: readonly string[]): GuardVerdict {
  const headers = headersOf(request.rawHeaders)
  const one = (name: string): string | undefined => (headers.get(name)?.length === 1 ? headers.get(name)?.[0] : undefined)
  const has = (name: string): boolean => headers.has(name)

  const host = one('host')
  if (host === undefined || !hosts.includes(host)) return refuse(421, 'host')
  for (const name of headers.keys()) if (forwarding.test(name)) return refuse(403, 'forwarded')
  if (request.method !== 'GET') return refuse(405, 'method')
  if (has('transfer-encoding') || (has('content-length') && one('content-length') !== '0')) return refuse(413, 'body')

  const origin = one('origin')
  if ((has('origin') || request.upgrade) && origin !== `http://${host}`) return refuse(403, 'origin')
  const [path = '', query, ...more] = request.target.split('?')
  if (!plainPath.test(path) || more.length > 0) return refuse(400, 'target')
  const isPage = path === '/'
  const token = isPage && !request.upgrade && query !== undefined ? tokenQuery.exec(query)?.[1] : undefined

  // Browsers send Sec-Fetch-Site with every request to loopback; some leave it out of upgrades, which carry Origin.
  const site = one('sec-fetch-site')
  const siteMayBeAbsent = isPage || request.upgrade
  const destination = one('sec-fetch-dest')
  // The link is opened by a page in a file, which is another site. Only a navigation of a window may come from there, and only with a
  // valid token, whatever else it brings.
  const fromElsewhere =
    token !== undefined && site === 'cross-site' && one('sec-fetch-mode') === 'navigate' && destination === 'document' && !has('origin')
  const siteIsOurs = has('sec-fetch-site') ? site === 'same-origin' || (isPage && site === 'none') : siteMayBeAbsent
  if (!siteIsOurs && !fromElsewhere) return refuse(403, 'site')
  if (has('sec-purpose') || has('purpose') || has('x-moz')) return refuse(403, 'prefetch')
  if (has('sec-fetch-dest') && isPage && !request.upgrade && destination !== 'document') return refuse(403, 'framed')
  // Documents of diagrams and views are for frames, and for nothing else.
  const isFramed = path === diagramPath || mcpAppIdOf(path) !== undefined
  if (has('sec-fetch-dest') && (destination === 'iframe') !== isFramed) return refuse(403, 'framed')
  // The page has no service worker; one would outlive this run at this address.
  if (has('service-worker') || has('service-worker-navigation-preload') || destination === 'serviceworker') return refuse(403, 'worker')

  if (!request.upgrade && has('upgrade')) return refuse(400, 'upgrade')
  if (isPage && !request.upgrade && query !== undefined) {
    if (token === undefined) return refuse(400, 'target')
    return fromElsewhere ? { kind: 'exchange', token, fromElsewhere } : { kind: 'exchange', token }
  }
  if (query !== undefined) return refuse(400, 'target')
  if (!request.known) return refuse(401, 'cookie')
  return { kind: 'enter', place: path }
}

export interface AgentHttpRequest {
  readonly method: string
  /** Request target as it was sent. */
  readonly url: string
  readonly rawHeaders: readonly string[]
}
export type AgentHttpVerdict =
  | { readonly kind: 'enter'; readonly token: string }
  | { readonly kind: 'refuse'; readonly status: 401 | 403 | 404 | 405 | 421; readonly why: RefusalReason }

/**
 * Judges a request of an agent by its address, its origin and its `Authorization`. A page that reaches this port under a name of its own
 * (DNS rebinding) brings that name as Host, and as Origin what is no host of ours.
 */
export function judgeAgentRequest(asked: AgentHttpRequest, hosts: readonly string[], path: string): AgentHttpVerdict {
  const headers = headersOf(asked.rawHeaders)
  const one = (name: string): string | undefined => (headers.get(name)?.length === 1 ? headers.get(name)?.[0] : undefined)
  const no = (status: (AgentHttpVerdict & { readonly kind: 'refuse' })['status'], why: RefusalReason): AgentHttpVerdict => ({
    kind: 'refuse',
    status,
    why,
  })
  const host = one('host')
  if (host === undefined || !hosts.includes(host)) return no(421, 'host')
  for (const name of headers.keys()) if (forwarding.test(name)) return no(403, 'forwarded')
  if (headers.has('origin') && !hosts.some((known) => one('origin') === `http://${known}`)) return no(403, 'origin')
  const site = headers.get('sec-fetch-site')
  if (site && !site.every((value) => value === 'same-origin' || value === 'none')) return no(403, 'site')
  if (asked.url !== path) return no(404, 'path')
  if (!['GET', 'POST', 'DELETE'].includes(asked.method)) return no(405, 'method')
  // Schemes of authentication are written in any case (RFC 9110, 11.1).
  const token = /^bearer +([A-Za-z0-9_-]{1,200})$/i.exec(one('authorization') ?? '')?.[1]
  return token === undefined ? no(401, 'token') : { kind: 'enter', token }
}

// Secrets of the web shell: one-time tokens (in the link that the terminal shows) and the sessions that they are exchanged for. A session
// is a cookie, which the browser sends to every port of this machine, and a key, which the page stores for its origin and sends in its
// hello: neither opens the connection alone. 32 random bytes each, kept as SHA-256 only, compared in constant time, valid for this run.
const MOST_TOKENS = 16
const MOST_SESSIONS = 64

const newSecret = (): string => randomBytes(32).toString('base64url')
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Compares with every entry, so that the time does not reveal which one matched, or whether one did. */
function indexIn(list: readonly Buffer[], text: string): number {
  const wanted = digest(text)
  let found = -1
  for (const [index, known] of list.entries()) if (timingSafeEqual(known, wanted)) found = index
  return found
}

export function createSessionKeys(port: number) {
  const tokens: { readonly digest: Buffer; readonly onUsed: (() => void) | undefined }[] = []
  const sessions: { readonly cookie: Buffer; readonly key: Buffer }[] = []
  const cookieName = `assent-${port}`

  function sessionOf(header: string | undefined): (typeof sessions)[number] | undefined {
    if (header === undefined) return undefined
    const values = header
      .split(';')
      .map((pair) => pair.trim())
      .filter((pair) => pair.startsWith(`${cookieName}=`))
      .map((pair) => pair.slice(cookieName.length + 1))
    if (values.length !== 1) return undefined
    const cookies = sessions.map(({ cookie }) => cookie)
    return sessions[indexIn(cookies, values[0] ?? '')]
  }

  return {
    cookieName,
    /** Returns a new token; with too many, the oldest unused one is dropped. `onUsed`: it was exchanged for a session. */
    newToken(onUsed?: () => void): string {
      const token = newSecret()
      tokens.push({ digest: digest(token), onUsed })
      if (tokens.length > MOST_TOKENS) tokens.shift()
      return token
    },
    /** Returns a new session, or undefined for a token that is wrong or was used. */
    exchange(token: string): { readonly cookie: string; readonly key: string } | undefined {
      const known = tokens.map((one) => one.digest)
      const index = indexIn(known, token)
      if (index < 0) return undefined
      const [used] = tokens.splice(index, 1)
      const [cookie, key] = [newSecret(), newSecret()]
      sessions.push({ cookie: digest(cookie), key: digest(key) })
      if (sessions.length > MOST_SESSIONS) sessions.shift()
      used?.onUsed?.()
      return { cookie, key }
    },
    /** Whether a `Cookie` header holds this shell's cookie, once, with a valid value. */
    knows: (header: string | undefined): boolean => sessionOf(header) !== undefined,
    /** Whether the header's cookie and the key belong to one session. */
    opens(header: string | undefined, key: string): boolean {
      const session = sessionOf(header)
      return session !== undefined && timingSafeEqual(session.key, digest(key))
    },
  }
}
