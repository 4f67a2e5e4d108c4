// GET requests for JSON of a registry or a site, without cookies, limited in bytes and time. Redirects are followed within
// the origin only: another address could be one of this network.
import type { Dispatcher } from 'undici'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { parseJson } from '#app/or-else.ts'
import { errorReason, vouched } from '#main/base/authorities/certificate-authorities.ts'
import { createDispatchersByProxies, loadUndici, type Proxies, readCapped, type Undici } from './dispatchers.ts'
import { locationOf, retryAfterMs } from './redirects.ts'

/** Bytes of a response, decompressed (a page of the official registry has some 100 kB), and milliseconds until it is there. */
const registryLimits = { maxBytes: 4 * 1024 * 1024, timeoutMs: 15_000 }
const mostRedirects = 3

export type Got = { readonly kind: 'json'; readonly json: unknown; readonly etag: string | undefined } | { readonly kind: 'unchanged' }

interface GetOptions {
  readonly signal: AbortSignal
  readonly etag?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
}

export type GetJson = ReturnType<typeof createGetJson>

type Answer = Awaited<ReturnType<Undici['fetch']>>

/** `proxies`: called before each request, since the person may have set others. */
export function createGetJson(proxies: () => Promise<Proxies>, limits = registryLimits) {
  const byProxies = createDispatchersByProxies()
  return {
    get: getJsonBy(async (url) => (await byProxies.with(await proxies()).for(url)).dispatcher, limits),
    close: byProxies.close,
  }
}

/** `dispatcherOf`: called before each connection; what it throws is thrown. */
export function getJsonBy(dispatcherOf: (url: string) => Promise<Dispatcher>, limits = registryLimits) {
  async function ask(url: string, more: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Answer> {
    const { fetch } = await loadUndici()
    const headers = { accept: 'application/json', ...more }
    let at = url
    for (let hops = 0; ; hops += 1) {
      const dispatcher = await dispatcherOf(at)
      const response = await vouched(() => fetch(at, { headers, redirect: 'manual', signal, dispatcher }))
      const to = locationOf(response)
      if (to === null) return response
      await response.body?.cancel()
      const next = URL.canParse(to, at) ? new URL(to, at) : undefined
      if (next?.origin !== new URL(url).origin || hops >= mostRedirects) throw moved(url, response.status, next)
      at = next.href
    }
  }

  /** Requests one document. `etag`: that of the copy that is kept. @throws {HostError} `registry.*`, or the signal's own reason */
  return async (url: string, { signal, etag, headers }: GetOptions): Promise<Got> => {
    const limit = AbortSignal.timeout(limits.timeoutMs)
    try {
      const more = { ...headers, ...(etag === undefined ? {} : { 'if-none-match': etag }) }
      const response = await ask(url, more, AbortSignal.any([signal, limit]))
      if (response.status === 304 && etag !== undefined) {
        await response.body?.cancel()
        return { kind: 'unchanged' }
      }
      if (!response.ok) {
        await response.body?.cancel()
        throw refused(url, response)
      }
      const bytes = await readCapped(response, limits.maxBytes)
      if (!bytes) throw bad(url, t`too long`)
      const json = parseJson(bytes.toString('utf8'))
      if (json === undefined) throw bad(url, t`not JSON`, { json: false })
      return { kind: 'json', json, etag: response.headers.get('etag') ?? undefined }
    } catch (error) {
      if (signal.aborted) throw signal.reason
      const known = [error, error instanceof Error ? error.cause : undefined].find(
        (one) => one instanceof HostError && one.code.startsWith('registry.'),
      )
      if (known) throw known
      throw unreachable(url, limit.aborted ? 'timeout' : errorReason(error), error)
    }
  }
}

const hostOf = (url: string): string => new URL(url).host

export const bad = (url: string, why: string, more: Readonly<Record<string, boolean>> = {}): HostError =>
  new HostError('registry.bad-answer', t`${hostOf(url)} gave no usable answer: ${why}.`, { data: { host: hostOf(url), ...more } })

function moved(url: string, status: number, to: URL | undefined): HostError {
  const where = to === undefined ? 'nowhere' : to.origin === 'null' ? to.protocol : to.origin
  const message = t`${hostOf(url)} has moved to ${where}. If that is right, change the address.`
  return new HostError('registry.bad-answer', message, { data: { host: hostOf(url), status, location: where } })
}

function refused(url: string, response: Answer): HostError {
  const { status } = response
  const wait = status === 429 || status === 503 ? retryAfterMs(response, Date.now()) : undefined
  return new HostError('registry.refused', t`${hostOf(url)} answered with HTTP ${status}.`, {
    data: { host: hostOf(url), status, ...(wait === undefined ? {} : { retryAfterMs: wait }) },
  })
}

function unreachable(url: string, reason: string, cause: unknown): HostError {
  const why = reason === 'timeout' ? t`it did not answer in time` : reason
  return new HostError('registry.unreachable', t`${hostOf(url)} could not be reached: ${why}.`, {
    data: { host: hostOf(url), reason },
    cause,
  })
}
