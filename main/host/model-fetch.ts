// What models are asked through: as servers are, straight or by the proxy that the person's environment or system names, and with
// the patience that a long thought wants: Node's own `fetch` ends what is silent for 300 s.
import { isDeepStrictEqual } from 'node:util'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { JsonObject } from '#app/json.ts'
import { vouched, vouchedFetch } from '#main/base/authorities/certificate-authorities.ts'
import { notSecure } from '#main/models/http-errors.ts'
import type { Environment } from '#main/servers/process/environment/environment.ts'
import {
  createDispatchers,
  type Dispatchers,
  isLoopback,
  loadUndici,
  type Proxies,
  proxiesIn,
} from '#main/servers/transport/http/dispatchers.ts'

interface ModelFetch {
  /** Bodies are texts. Rejects with `model.offline` where a proxy stands between and lets nothing through. */
  readonly fetch: typeof fetch
  /** Ends every request. */
  close(): Promise<void>
}

/** The proxy cannot be used: said as for a server. */
function asOfModel(error: unknown): never {
  throw error instanceof HostError ? new HostError('model.offline', error.message, { cause: error, data: error.data }) : error
}

export function createModelFetch(environment: Pick<Environment, 'variables'>): ModelFetch {
  /** Few: the person's variables hardly change, and an answer that is being streamed goes on by its own. */
  const known: { readonly proxies: Proxies; readonly dispatchers: Dispatchers }[] = []
  const dispatchersFor = (proxies: Proxies): Dispatchers => {
    const found = known.find((one) => isDeepStrictEqual(one.proxies, proxies))
    if (found) return found.dispatchers
    const dispatchers = createDispatchers(proxies)
    known.push({ proxies, dispatchers })
    return dispatchers
  }
  return {
    async fetch(input, init = {}) {
      const url = input instanceof Request ? input.url : String(input)
      const isHere = isLoopback(new URL(url).hostname)
      // Who is there on this computer is asked at each start, and needs nothing of what is loaded for others.
      if (isHere && (init.method ?? 'GET') === 'GET') return vouchedFetch(input, init)
      const proxies = isHere ? {} : proxiesIn(await environment.variables())
      const { dispatcher, proxy, passedOver } = await dispatchersFor(proxies).for(url).catch(asOfModel)
      const undici = await loadUndici()
      const request = { ...init, headers: [...new Headers(init.headers)], dispatcher } as unknown as Parameters<typeof undici.fetch>[1]
      try {
        return (await vouched(() => undici.fetch(url, request))) as unknown as Response
      } catch (error) {
        const { host } = new URL(url)
        // Who was reached through the proxy and is not believed is no fault of the proxy's.
        if (init.signal?.aborted || notSecure(error, host)) throw error
        const offline = (message: string, data: JsonObject) => new HostError('model.offline', message, { cause: error, data })
        if (proxy !== undefined) throw offline(t`${host} could not be reached through the proxy ${proxy}.`, { proxy })
        if (passedOver === undefined) throw error
        throw offline(t`${host} could not be reached. The SOCKS proxy ${passedOver} is set, which Assent does not use.`, { passedOver })
      }
    },
    async close() {
      await Promise.all(known.map(({ dispatchers }) => dispatchers.close()))
    },
  }
}
