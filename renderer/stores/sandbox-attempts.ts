// What sandboxed servers tried, as the host lists it, for servers that are on the page: one request under way for a server, and one more
// if it changed meanwhile.
import { createStore } from 'zustand/vanilla'
import type { HostConnection } from '#app/contract/host-connection.ts'
import type { RequestResult } from '#app/contract/requests.ts'
import { type ErrorValue, toErrorValue } from '#app/errors.ts'

/** `error`: the latest request failed; `value` is that of an earlier one then. */
export interface KnownAttempts {
  readonly value: RequestResult<'server.sandboxAttempts'> | undefined
  readonly error: ErrorValue | undefined
}

export function createSandboxAttempts(connection: Pick<HostConnection, 'request'>) {
  const store = createStore<Readonly<Record<string, KnownAttempts>>>(() => ({}))
  const watchers = new Map<string, number>()
  const loading = new Set<string>()
  /** Servers whose attempts changed while they were fetched. */
  const stale = new Set<string>()

  async function load(name: string): Promise<void> {
    if (loading.has(name)) {
      stale.add(name)
      return
    }
    loading.add(name)
    let known: KnownAttempts
    try {
      known = { value: await connection.request('server.sandboxAttempts', { name }), error: undefined }
    } catch (error) {
      known = { value: store.getState()[name]?.value, error: toErrorValue(error) }
    }
    loading.delete(name)
    store.setState({ [name]: known })
    if (stale.delete(name)) void load(name)
  }

  const reload = (name: string): void => {
    if (watchers.has(name)) void load(name)
  }
  return {
    store,
    reload,
    /** Fetches those of a server, and again at each change. Returns its undo. */
    watch(name: string): () => void {
      const count = watchers.get(name) ?? 0
      watchers.set(name, count + 1)
      if (count === 0) void load(name)
      return () => {
        const left = (watchers.get(name) ?? 1) - 1
        if (left > 0) watchers.set(name, left)
        else watchers.delete(name)
      }
    },
    /** Fetches all again after a new connection: events were missed. */
    resync(): void {
      for (const name of watchers.keys()) void load(name)
    },
  }
}
