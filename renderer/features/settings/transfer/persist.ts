// Requests that may come twice, over a link that may break: the answer is lost with it, so they are asked again once it is back.
import type { StoreApi } from 'zustand/vanilla'
import type { Outcome } from '#renderer/stores/actions.ts'
import type { ConnectionState } from '#renderer/stores/connection.ts'

export type Connection = Pick<StoreApi<ConnectionState>, 'getState' | 'subscribe'>

const mostTimes = 10

export async function persist<T>(connection: Connection, work: () => Promise<Outcome<T>>, signal?: AbortSignal): Promise<Outcome<T>> {
  for (let times = 1; ; times += 1) {
    const outcome = await work()
    if (outcome.ok || outcome.error.code !== 'link.closed' || times === mostTimes) return outcome
    if (!(await opens(connection, signal))) return outcome
  }
}

/** False: it will not, or nobody waits for it any more. */
function opens({ getState, subscribe }: Connection, signal: AbortSignal | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    let unsubscribe = (): void => undefined
    const end = (opened: boolean): void => {
      unsubscribe()
      signal?.removeEventListener('abort', stop)
      resolve(opened)
    }
    const stop = (): void => end(false)
    const look = (): void => {
      const { link } = getState()
      if (link === 'open' || link === 'refused') end(link === 'open')
    }
    signal?.addEventListener('abort', stop)
    unsubscribe = subscribe(look)
    if (signal?.aborted) stop()
    else look()
  })
}
