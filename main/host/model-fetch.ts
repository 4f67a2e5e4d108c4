// `fetch` for model providers: direct or through the proxy of the environment or the system, as for servers, and without the
// limit of Node's own `fetch`, which ends a request that is silent for 300 s.
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { JsonObject } from '#app/json.ts'
import { vouched, vouchedFetch } from '#main/base/authorities/certificate-authorities.ts'
import { notSecure } from '#main/models/http-errors.ts'
import type { Environment } from '#main/servers/process/environment/environment.ts'
import { createDispatchersByProxies, isLoopback, loadUndici, proxiesIn } from '#main/servers/transport/http/dispatchers.ts'

/** Turns the error of a proxy that cannot be used into one about the model. */
function asOfModel(error: unknown): never {
  throw error instanceof HostError ? new HostError('model.offline', error.message, { cause: error, data: error.data }) : error
}

export function createModelFetch(environment: Pick<Environment, 'variables'>) {
  const dispatchers = createDispatchersByProxies()
  return {
    /** Takes bodies that are texts. @throws {HostError} `model.offline` when a proxy does not connect */
    async fetch(input: Parameters<typeof fetch>[0], init: RequestInit = {}): Promise<Response> {
      const url = input instanceof Request ? input.url : String(input)
      const isHere = isLoopback(new URL(url).hostname)
      // Local endpoints are probed at each start, and need no dispatcher.
      if (isHere && (init.method ?? 'GET') === 'GET') return vouchedFetch(input, init)
      const proxies = isHere ? {} : proxiesIn(await environment.variables())
      const { dispatcher, proxy, passedOver } = await dispatchers.with(proxies).for(url).catch(asOfModel)
      const undici = await loadUndici()
      const request = { ...init, headers: [...new Headers(init.headers)], dispatcher } as unknown as Parameters<typeof undici.fetch>[1]
      try {
        return (await vouched(() => undici.fetch(url, request))) as unknown as Response
      } catch (error) {
        const { host } = new URL(url)
        // A host that was reached and whose certificate is refused is not the proxy's fault.
        if (init.signal?.aborted || notSecure(error, host)) throw error
        const offline = (message: string, data: JsonObject) => new HostError('model.offline', message, { cause: error, data })
        if (proxy !== undefined) throw offline(t`${host} could not be reached through the proxy ${proxy}.`, { proxy })
        if (passedOver === undefined) throw error
        throw offline(t`${host} could not be reached. The SOCKS proxy ${passedOver} is set, which Assent does not use.`, { passedOver })
      }
    },
    close: dispatchers.close,
  }
}
