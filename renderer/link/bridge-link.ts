// The link inside Electron: the preload's bridge carries requests and events, and is there as long as the page is.
import type { HostLink, PreloadBridge } from '#app/contract/link.ts'
import type { RequestName, RequestParams, RequestResult } from '#app/contract/requests.ts'
import { fromErrorValue } from '#app/errors.ts'

export function createBridgeLink(bridge: PreloadBridge): HostLink {
  return {
    async request<N extends RequestName>(name: N, params: RequestParams<N>): Promise<RequestResult<N>> {
      const answer = await bridge.request(name, params)
      if ('error' in answer) throw fromErrorValue(answer.error)
      // The host answers with the contract's type for `name`; the bridge itself knows no names.
      return answer.result as RequestResult<N>
    },
    onEvent: (listener) => bridge.onEvent(listener),
    onStatus(listener) {
      listener('open')
      return () => undefined
    },
  }
}
