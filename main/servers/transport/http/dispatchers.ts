// Connections to servers, directly or through a proxy. Node's own would end a stream that is silent for 300 s. Servers on this
// computer are never reached through a proxy, and a proxy's password goes nowhere else.
import { type LookupAddress, type LookupOptions, lookup } from 'node:dns'
import { isDeepStrictEqual } from 'node:util'
import type { Agent, Dispatcher, ProxyAgent } from 'undici'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'

/** Proxies as in the environment: `HTTP_PROXY`, `HTTPS_PROXY`, `NO_PROXY`. */
export interface Proxies {
  readonly http?: string | undefined
  readonly https?: string | undefined
  /** Hosts, with all below them, and `host:port`, between commas or spaces; `*`: all. */
  readonly none?: string | undefined
  /** A SOCKS proxy for all, which we cannot use: passed over, and told of. Its host. */
  readonly socks?: string | undefined
}

/** Reads the proxies; names in lower case take precedence, as in other programs. */
export function proxiesIn(variables: Readonly<Record<string, string | undefined>>): Proxies {
  const read = (name: string): string | undefined => variables[name] || variables[name.toUpperCase()] || undefined
  const all = read('all_proxy')
  // One for other protocols is no reason to fail: it is set for other programs.
  const any = all !== undefined && /^https?:/i.test(all) ? all : undefined
  const socks = all !== undefined && isSocks(all) && URL.canParse(all) ? { socks: new URL(all).host } : {}
  return { http: read('http_proxy') ?? any, https: read('https_proxy') ?? any, none: read('no_proxy'), ...socks }
}

const isSocks = (uri: string): boolean => /^socks\w*:/i.test(uri)

export interface Passage {
  readonly proxy: string | undefined
  /** A SOCKS proxy that is set and was passed over. */
  readonly passedOver: string | undefined
}

type Dispatchers = ReturnType<typeof createDispatchers>

/** Large, and no local server needs it: loaded with the first request. */
export const loadUndici = () => import('undici')
export type Undici = Awaited<ReturnType<typeof loadUndici>>

/** Reads a body; undefined when it is longer than `maxBytes`, which ends the request. */
export async function readCapped(
  { body }: Pick<Awaited<ReturnType<Undici['fetch']>>, 'body'>,
  maxBytes: number,
): Promise<Buffer<ArrayBuffer> | undefined> {
  const chunks: Uint8Array[] = []
  let held = 0
  for await (const chunk of body ?? []) {
    held += chunk.byteLength
    if (held > maxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const options = { headersTimeout: 0, bodyTimeout: 0 } as const
const connectMs = 10_000

/** Told of what a name was resolved to, before it is connected to; an error: it is not. */
export type OnResolved = (hostname: string, addresses: readonly string[]) => Error | undefined

type Found = (error: Error | null, address: string | LookupAddress[], family?: number) => void

/** Names resolve as ever. What is connected to is what was told of: the name is not looked up again. */
export const toldLookup =
  (onResolved: OnResolved) =>
  (hostname: string, options: LookupOptions, found: Found): void =>
    lookup(hostname, options, (error: Error | null, address: string | LookupAddress[], family?: number) => {
      if (error) return found(error, '')
      const refusal = onResolved(hostname, typeof address === 'string' ? [address] : address.map((one) => one.address))
      if (refusal) found(refusal, '')
      else found(null, address, family)
    })

/** Asks the operating system for the proxy of a URL, by its settings or a script (PAC); undefined: none. */
type SystemProxy = (url: string) => Promise<string | undefined>
let systemProxy: SystemProxy | undefined
/** Told once by a shell that can ask: a process has one system. What the environment names goes before it. */
export const askSystemForProxy = (ask: SystemProxy | undefined): void => {
  systemProxy = ask
}

const goesStraight = (url: string, { none = '' }: Proxies): boolean => {
  const { protocol, hostname, port } = new URL(url)
  return isLoopback(hostname) || isExcepted(hostname, portOf(protocol, port), none)
}

/** @throws {HostError} as `Dispatchers.for` */
export async function passageTo(url: string, proxies: Proxies): Promise<Passage> {
  const { uri: _withPassword, ...passage } = await wayTo(url, proxies)
  return passage
}

/** `uri`: of the proxy, with its password. @throws {HostError} `server.unreachable`, where it cannot be used */
export async function wayTo(url: string, proxies: Proxies): Promise<Passage & { readonly uri: string | undefined }> {
  const found = proxyFor(url, proxies) ?? (await proxyOfSystem(url, proxies))
  const host = found === undefined ? undefined : new URL(found).host
  if (found !== undefined && isSocks(found)) return { uri: undefined, proxy: undefined, passedOver: host }
  return { uri: found, proxy: host, passedOver: found !== undefined || goesStraight(url, proxies) ? undefined : proxies.socks }
}

async function proxyOfSystem(url: string, proxies: Proxies): Promise<string | undefined> {
  const named = url.startsWith('https:') ? proxies.https : proxies.http
  if (!systemProxy || named || goesStraight(url, proxies)) return undefined
  const uri = await systemProxy(url).catch(() => undefined) // It cannot say: as if there were none.
  return uri !== undefined && URL.canParse(uri) ? uri : undefined
}

const portOf = (protocol: string, port: string): string => port || (protocol === 'https:' ? '443' : '80')

/** `onResolved`: of connections without a proxy. */
export function createDispatchers(proxies: Proxies = {}, onResolved?: OnResolved) {
  const told = onResolved ? { lookup: toldLookup(onResolved) } : {}
  let direct: Agent | undefined
  const through = new Map<string, ProxyAgent>()
  return {
    async for(url: string): Promise<Passage & { readonly dispatcher: Dispatcher }> {
      const { uri, ...passage } = await wayTo(url, proxies)
      const undici = await loadUndici()
      if (uri === undefined) {
        direct ??= new undici.Agent({ ...options, connect: { timeout: connectMs, ...told } })
        return { dispatcher: direct, ...passage }
      }
      const agent = through.get(uri) ?? proxyAgent(undici, uri)
      through.set(uri, agent)
      return { dispatcher: agent, ...passage }
    },
    close: async (): Promise<void> => void (await Promise.all([direct, ...through.values()].map((each) => each?.destroy()))),
  }
}

/** Dispatchers for proxies that may change: what is streamed goes on by its own. */
export function createDispatchersByProxies() {
  const known: { readonly proxies: Proxies; readonly dispatchers: Dispatchers }[] = []
  return {
    with(proxies: Proxies): Dispatchers {
      const found = known.find((one) => isDeepStrictEqual(one.proxies, proxies))
      if (found) return found.dispatchers
      const dispatchers = createDispatchers(proxies)
      known.push({ proxies, dispatchers })
      return dispatchers
    },
    close: async (): Promise<void> => void (await Promise.all(known.map(({ dispatchers }) => dispatchers.close()))),
  }
}

function proxyAgent({ ProxyAgent }: Undici, uri: string): ProxyAgent {
  const { username, password } = new URL(uri)
  const plain = Object.assign(new URL(uri), { username: '', password: '' }).href
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  const token = username === '' && password === '' ? {} : { token: `Basic ${Buffer.from(credentials).toString('base64')}` }
  return new ProxyAgent({ ...options, ...token, uri: plain, proxyTls: { timeout: connectMs }, requestTls: { timeout: connectMs } })
}

/** The proxy for a URL, with what it is told of who asks; undefined: none. */
export function proxyFor(url: string, proxies: Proxies): string | undefined {
  const text = url.startsWith('https:') ? proxies.https : proxies.http
  if (!text || goesStraight(url, proxies)) return undefined
  const uri = text.includes('://') ? text : `http://${text}`
  if (!URL.canParse(uri) || !['http:', 'https:'].includes(new URL(uri).protocol))
    throw new HostError('server.unreachable', t`Only http:// and https:// proxies can be used.`, {
      data: { reason: 'proxy-kind', sent: false },
    })
  return uri
}

export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)

const isExcepted = (hostname: string, port: string, none: string): boolean =>
  none
    .split(/[,\s]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true
      const [, host = '', onPort] = /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? []
      const name = host.replace(/^\*?\./, '')
      return name !== '' && (onPort === undefined || onPort === port) && (hostname === name || hostname.endsWith(`.${name}`))
    })
