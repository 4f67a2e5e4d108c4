// Log level that the person chose for a server, kept with what is remembered of it. `logging/setLevel` sends it in the older
// eras; in the newer one each request carries it (`request-interceptors.ts`).
import { t } from '#app/i18n/translate.ts'
import type { LogLevel } from '#app/server/server-state.ts'
import type { ServerStore } from '#main/store/store-api.ts'
import type { Connection } from '../connection/connection.ts'

const defaultLevel: LogLevel = 'info'

export function createLogLevelSetting(options: {
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
