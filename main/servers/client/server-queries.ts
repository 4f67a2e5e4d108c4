// Requests to one server beside calls. Resources are kept in memory within their `ttlMs` (2026-07-28), bounded in bytes, and dropped with
// the connection, so what was private to one account is never shown to another.
import { t } from '#app/i18n/translate.ts'
import type { JsonObject } from '#app/json.ts'
import type { Completion, CompletionQuery } from '#app/server/completion.ts'
import type { LogLevel } from '#app/server/server-state.ts'
import type { Settings } from '#app/settings.ts'
import type { Clock } from '#main/base/clock.ts'
import { jsonSize } from '#main/base/json-size.ts'
import type { ServerStore } from '#main/store/store-api.ts'
import { cacheHints } from './catalogue/cache-hints.ts'
import type { CatalogueKeeper } from './catalogue/catalogue.ts'
import { createCompletions } from './catalogue/completions.ts'
import { createSubscriptions } from './catalogue/subscriptions.ts'
import type { Connection } from './connection/connection.ts'
import { keepPinging } from './connection/heartbeat.ts'

export function createReadCache({ clock, maxBytes = 16 * 1024 * 1024 }: { readonly clock: Clock; readonly maxBytes?: number }) {
  const kept = new Map<string, { readonly result: JsonObject; readonly bytes: number; readonly until: number }>()
  let bytes = 0
  let changes = 0

  const forget = (uri: string): void => {
    bytes -= kept.get(uri)?.bytes ?? 0
    kept.delete(uri)
  }

  return {
    get(uri: string): JsonObject | undefined {
      const known = kept.get(uri)
      if (known && known.until > clock.now()) return known.result
      forget(uri)
      return undefined
    },
    keeper(uri: string) {
      const before = changes
      return (result: JsonObject): void => {
        const ttlMs = cacheHints(result)?.ttlMs ?? 0
        if (changes !== before || ttlMs === 0) return
        const size = jsonSize(result)
        if (size > maxBytes) return
        forget(uri)
        kept.set(uri, { result, bytes: size, until: clock.now() + ttlMs })
        bytes += size
        for (const oldest of kept.keys()) {
          if (bytes <= maxBytes) return
          forget(oldest)
        }
      }
    },
    drop(uri: string): void {
      changes += 1
      for (const known of kept.keys()) if (known.startsWith(uri) || uri.startsWith(known)) forget(known)
    },
    clear(): void {
      changes += 1
      kept.clear()
      bytes = 0
    },
  }
}

type Work = <T>(work: (connection: Connection, signal: AbortSignal) => Promise<T>, signal: AbortSignal) => Promise<T>

export type ServerQueries = ReturnType<typeof createServerQueries>

interface QueriesOptions {
  readonly server: string
  readonly store: ServerStore
  readonly clock: Clock
  readonly catalogue: CatalogueKeeper
  readonly onChange: () => void
  readonly onUpdated: (uri: string) => void
  readonly note: (text: string) => void
  readonly settings: () => Pick<Settings, 'pingSeconds'>
  readonly use: Work
  readonly askOn: (connection: Connection, work: Parameters<Work>[0], signal: AbortSignal) => Promise<unknown>
}

export function createServerQueries(options: QueriesOptions) {
  const { server, clock, catalogue, use, askOn } = options
  let current: { readonly connection: Connection; readonly signal: AbortSignal } | undefined
  const request = (method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject> =>
    use((connection, limited) => connection.request(method, params, { signal: limited }), signal)
  async function useIfRunning(
    work: (connection: Connection | undefined, signal: AbortSignal) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    if (current) await askOn(current.connection, work, signal)
    else await work(undefined, signal)
  }
  const logLevel = createLogLevelSetting(options)
  const completions = createCompletions({ server, clock })
  const reads = createReadCache({ clock })
  const changed = (connection: Connection, signal: AbortSignal): void => {
    reads.clear()
    catalogue.changed(connection, signal)
  }
  const subscriptions = createSubscriptions({
    ...options,
    onTold: (uri) => reads.drop(uri),
    onListsChanged: changed,
    onGap: changed,
  })

  function forget(): void {
    completions.clear()
    reads.clear()
  }

  return {
    attach(connection: Connection, signal: AbortSignal): void {
      current = { connection, signal }
      forget()
      void connection.ended.then(() => {
        if (current?.connection !== connection) return
        current = undefined
        forget()
      })
      logLevel.attach(connection, signal)
      subscriptions.attach(connection, signal)
      keepPinging({ connection, clock, signal, everyMs: () => options.settings().pingSeconds * 1000, note: options.note })
    },
    /** The server was stopped: what it was subscribed to is wanted no more. */
    stopped: subscriptions.drop,
    needed(): void {
      if (current) catalogue.needed(current.connection, current.signal)
    },
    async read(uri: string, signal: AbortSignal): Promise<JsonObject> {
      const known = current && reads.get(uri)
      if (known) return known
      return use(async (connection, limited) => {
        const keep = reads.keeper(uri)
        const result = await connection.request('resources/read', { uri }, { signal: limited })
        if (connection.session.era === 'modern') keep(result)
        return result
      }, signal)
    },
    getPrompt: (name: string, args: Readonly<Record<string, string>>, signal: AbortSignal): Promise<JsonObject> =>
      request('prompts/get', { name, arguments: args }, signal),
    complete: (query: CompletionQuery, signal: AbortSignal): Promise<Completion> =>
      completions.complete(query, signal, (params, either) => request('completion/complete', params, either)),
    /** Milliseconds that it took to answer. */
    ping: (signal: AbortSignal): Promise<number> =>
      use(async (connection, limited) => {
        const begun = performance.now()
        await connection.request('ping', {}, { signal: limited })
        return performance.now() - begun
      }, signal),
    subscriptions: subscriptions.list,
    subscribe: (uri: string, signal: AbortSignal): Promise<void> =>
      use((connection, limited) => subscriptions.add(connection, uri, limited), signal),
    unsubscribe: (uri: string, signal: AbortSignal): Promise<void> =>
      useIfRunning((connection, limited) => subscriptions.remove(connection, uri, limited), signal),
    logLevel: logLevel.current,
    setLogLevel: (level: LogLevel, signal: AbortSignal): Promise<void> =>
      useIfRunning((connection, limited) => logLevel.set(connection, level, limited), signal),
    /** Tells it, if it runs and wants to know, that the folders are not those of before. */
    rootsChanged(): void {
      // In the newer era folders are asked for in the course of a request, each time anew.
      if (current?.connection.session.era !== 'legacy') return
      current.connection.client.sendRootsListChanged().catch(() => undefined) // It is gone, and asks when it is back.
    },
  }
}

const defaultLevel: LogLevel = 'info'

/**
 * Log level that the person chose for a server, kept with what is remembered of it. `logging/setLevel` sends it in the older eras; in the
 * newer one each request carries it (`request-interceptors.ts`).
 */
function createLogLevelSetting(options: {
  readonly server: string
  readonly store: ServerStore
  readonly onChange: () => void
  readonly note: (text: string) => void
}) {
  const { server, store, onChange, note } = options
  const current = (): LogLevel => store.logLevel(server) ?? defaultLevel

  async function tell(connection: Connection, signal: AbortSignal): Promise<void> {
    if (connection.session.era === 'modern' || connection.capabilities.logging === undefined) return
    await connection.request('logging/setLevel', { level: current() }, { signal })
  }

  return {
    current,
    attach(connection: Connection, signal: AbortSignal): void {
      tell(connection, signal).catch((error: unknown) => {
        if (!signal.aborted) note(t`The log level ${current()} was refused: ${error instanceof Error ? error.message : String(error)}`)
      })
    },
    /** Keeps it also when the server does not run, or refuses it. */
    async set(connection: Connection | undefined, level: LogLevel, signal: AbortSignal): Promise<void> {
      if (level === current()) return
      store.putLogLevel(server, level)
      onChange()
      if (connection) await tell(connection, signal)
    },
  }
}
