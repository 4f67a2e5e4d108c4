import { z } from 'zod'
import { type GateClient, gateClient, type OfferedServers } from '#app/gate.ts'
import type { Log } from '#main/base/host-log.ts'
import type { Database } from './database/database.ts'
import { parseRows, upsert } from './rows.ts'

/** Entry as it is kept: of its token only the SHA-256, in hex. */
const storedClient = gateClient.extend({ tokenHash: z.string().length(64) })
export type StoredGateClient = z.infer<typeof storedClient>

/** Entries of agents that may use the servers of Assent, in the order of their making. */
export function createGateClientStore(database: Database, log: Log) {
  const store = {
    list: (): StoredGateClient[] =>
      parseRows(storedClient, database.all('SELECT id, body FROM gate_clients ORDER BY id'), 'gate_clients', log),
    put: (client: StoredGateClient): void => void upsert(database, 'gate_clients', { id: client.id }, { body: JSON.stringify(client) }),
    remove: (id: string): void => void database.run('DELETE FROM gate_clients WHERE id = ?', id),
    /** Moves what is offered to a server's new name. Another server that had that name is not offered by it. */
    renameServer(from: string, to: string): void {
      const moved = (servers: OfferedServers): OfferedServers =>
        servers === 'all' ? servers : servers.filter((name) => name !== to).map((name) => (name === from ? to : name))
      for (const client of store.list())
        store.put({
          ...client,
          servers: moved(client.servers),
          ...(client.projects ? { projects: client.projects.map((one) => ({ ...one, servers: moved(one.servers) })) } : {}),
        })
    },
  }
  return store
}

export const withoutToken = ({ tokenHash: _, ...client }: StoredGateClient): GateClient => client
