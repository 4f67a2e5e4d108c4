// A host beside `records.ts`, and what both sides of their conversation wrote.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ProtocolError } from '@modelcontextprotocol/client'
import type { JsonObject } from '#app/json.ts'
import type { ServerRequestHandlers } from '#main/servers/client/requests/server-request-handlers.ts'
import { makeServers, memoryServerStore, noHandlers, raw, type TestServers } from '#main/servers/lifecycle/servers.testing.ts'

export interface Line {
  readonly by: 'host' | 'server'
  readonly text: string
  readonly message: JsonObject
}

const readLines = (file: string): Line[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({
      by: line.startsWith('< ') ? 'host' : 'server',
      text: line.slice(2),
      message: JSON.parse(line.slice(2)) as JsonObject,
    }))

export const methodOf = ({ message }: Line): unknown => message['method']
/** Of a request: its `params.name`. */
export const nameOf = ({ message }: Line): unknown => (message['params'] as JsonObject | undefined)?.['name']

export interface Recorded {
  readonly servers: TestServers
  readonly lines: () => Line[]
}

/** A host that knows this server for an old one, so that it is not asked for its era; but for the mood `modern`. */
export function recorded(mood = '', more: Partial<ServerRequestHandlers> = {}): Recorded {
  const store = memoryServerStore()
  if (mood !== 'modern') store.putSession('a', { era: 'legacy', protocolVersion: '2024-11-05', foundBy: 'initialize', askedAt: Date.now() })
  const handlers = {
    ...noHandlers,
    roots: async () => ({ roots: [{ uri: 'file:///work', name: 'work' }] }),
    sampling: () => Promise.reject(new ProtocolError(-1, 'User rejected sampling request')),
    ...more,
  }
  const servers = makeServers({}, { store, handlers })
  const file = join(servers.folder, 'lines')
  writeFileSync(file, '')
  servers.configure(new Map([['a', raw('records', file, mood)]]))
  return { servers, lines: () => readLines(file) }
}
