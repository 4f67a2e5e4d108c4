// A connection that is held to what was negotiated: what the server did not declare is not asked of it, and in the
// modern era each request carries the level from which on the server may log (2026-07-28 has no `logging/setLevel`).
import type { LOG_LEVEL_META_KEY } from '@modelcontextprotocol/client'
import { isJsonObject, type Json } from '#app/json.ts'
import type { LogLevel } from '#app/server/server-state.ts'
import { missingCapabilityOf, notOffered } from './capability-check.ts'
import type { Connection } from './connection.ts'

/** The SDK's own name: it is not loaded for it. */
const levelKey: typeof LOG_LEVEL_META_KEY = 'io.modelcontextprotocol/logLevel'

export function guardCapabilities(connection: Connection, logLevel: () => LogLevel): Connection {
  const logsByRequest = connection.session.era === 'modern' && connection.capabilities.logging !== undefined
  return {
    ...connection,
    async request(method, params, options) {
      const refusal = missingCapabilityOf(method, connection)
      if (refusal !== undefined) throw notOffered(connection.server, method, refusal)
      return connection.request(method, logsByRequest ? withLevel(params, logLevel()) : params, options)
    },
  }
}

function withLevel(params: Readonly<Record<string, Json>>, level: LogLevel): Readonly<Record<string, Json>> {
  const given = params['_meta']
  return { ...params, _meta: { [levelKey]: level, ...(isJsonObject(given) ? given : {}) } }
}
