// Entries as the API sends them, for tests.
import type { JsonObject } from '#app/json.ts'
import { type RegistryEntry, readRegistryEntry } from './registry-entry.ts'

export const wireEntry = (server: JsonObject, meta: JsonObject = {}): JsonObject => ({
  server: { name: 'io.github.somebody/weather', description: 'Weather of today', version: '1.0.2', ...server },
  _meta: {
    'io.modelcontextprotocol.registry/official': { status: 'active', isLatest: true, publishedAt: '2026-01-02T03:04:05Z', ...meta },
  },
})

export function entryOf(server: JsonObject, meta?: JsonObject): RegistryEntry {
  const entry = readRegistryEntry(wireEntry(server, meta))
  if (!entry) throw new Error('this is no entry')
  return entry
}

export const entryOfPackage = (pack: JsonObject): RegistryEntry =>
  entryOf({ packages: [{ registryType: 'npm', identifier: 'weather-mcp', version: '1.0.2', transport: { type: 'stdio' }, ...pack }] })
