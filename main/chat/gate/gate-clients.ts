// Entries of agents that may use the servers through `assent mcp`, their tokens, and who is connected. A token is told once, when it is
// made; only its digest is kept, signed with the person's other permissions.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { HostError } from '#app/errors.ts'
import {
  type GateClient,
  type GateClientDraft,
  type GateClientSummary,
  type GateConnection,
  gateTokenPrefix,
  mostGateClients,
} from '#app/gate.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type JsonObject } from '#app/json.ts'
import { newId } from '#main/base/ids.ts'
import { createListeners } from '#main/base/listeners.ts'
import { type StoredGateClient, withoutToken } from '#main/store/gate-clients.ts'
import type { Store } from '#main/store/store-api.ts'
import type { ChatContext } from '../chat-context.ts'

/** Fact with the time of the last connection of each entry. */
const SEEN = 'gate/seen'

export interface GateClientsOptions extends Pick<ChatContext, 'emit' | 'clock'> {
  readonly store: Pick<Store, 'gateClients' | 'settings' | 'audit' | 'rules'>
}

/** A connection of an agent, with what ends it. */
interface Connected {
  connection: GateConnection
  end(): void
}

export function createGateClients(options: GateClientsOptions) {
  const { store, clock } = options
  const connections = createConnections(options)
  const { changed, endAll } = connections

  function known(id: string): StoredGateClient {
    const found = store.gateClients.list().find((client) => client.id === id)
    if (!found) throw new HostError('contract.invalid', t`It was deleted meanwhile.`)
    return found
  }

  /** Writes an entry, on record first: more servers may come within reach of its agents. */
  function write(client: StoredGateClient, decision: string): void {
    const { name, app, servers, projects, sampling, roots, id } = client
    const detail = JSON.parse(JSON.stringify({ client: id, name, app, servers, projects, sampling, roots })) as JsonObject
    store.audit.append({ kind: 'config', decision, by: 'person', detail })
    store.gateClients.put(client)
  }

  return {
    ...connections,
    /** @throws {HostError} `contract.invalid` when there are too many */
    add(draft: GateClientDraft): { client: GateClient; token: string } {
      if (store.gateClients.list().length >= mostGateClients)
        throw new HostError('contract.invalid', t`There can be ${mostGateClients} of them. Delete one first.`)
      const { token, tokenHash } = newToken()
      const client = { ...draft, id: newId(), createdAt: clock.now(), tokenHash }
      write(client, 'gate-client-added')
      changed()
      return { client: withoutToken(client), token }
    },
    change(id: string, draft: GateClientDraft): GateClient {
      const { createdAt, tokenHash } = known(id)
      const client = { ...draft, id, createdAt, tokenHash }
      write(client, 'gate-client-changed')
      changed()
      return withoutToken(client)
    },
    renewToken(id: string): string {
      const { token, tokenHash } = newToken()
      write({ ...known(id), tokenHash }, 'gate-token-renewed')
      endAll(id)
      return token
    },
    remove(id: string): void {
      const client = known(id)
      store.audit.append({ kind: 'config', decision: 'gate-client-removed', by: 'person', detail: { client: id, name: client.name } })
      store.gateClients.remove(id)
      for (const rule of store.rules.list()) if (rule.agent?.client === id && rule.effect === 'allow') store.rules.remove(rule.id)
      options.emit('rules.changed', { rules: store.rules.list() })
      endAll(id)
      changed()
    },
    /** Entry that a token belongs to. Every entry is compared, in constant time. */
    withToken(token: string): GateClient | undefined {
      const shown = digest(token)
      const found = store.gateClients.list().filter(({ tokenHash }) => timingSafeEqual(Buffer.from(tokenHash, 'hex'), shown))
      return found[0] && withoutToken(found[0])
    },
    /** Entry as it is now; undefined: it was removed. */
    get: (id: string): GateClient | undefined => {
      const found = store.gateClients.list().find((client) => client.id === id)
      return found && withoutToken(found)
    },
  }
}

/** Registry of connections, and news of them. */
function createConnections({ store, emit, clock }: GateClientsOptions) {
  const connected = new Map<string, Connected>()
  const listeners = createListeners()
  const ends = createListeners<[client: string]>()

  const seen = (): JsonObject => {
    const fact = store.settings.fact(SEEN)
    return isJsonObject(fact) ? fact : {}
  }

  function list(): GateClientSummary[] {
    const times = seen()
    return store.gateClients.list().map((client) => {
      const last = times[client.id]
      const connections = [...connected.values()].map(({ connection }) => connection).filter((one) => one.client === client.id)
      return { ...withoutToken(client), ...(typeof last === 'number' ? { lastSeen: last } : {}), connections }
    })
  }

  const changed = (): void => {
    emit('gate.changed', { clients: list() })
    listeners.tell()
  }

  return {
    list,
    changed,
    endAll(id: string): void {
      for (const { connection, end } of [...connected.values()]) if (connection.client === id) end()
      ends.tell(id)
    },
    /** Told when all that an entry does has to end: it goes, or has another token. Returns its undo. */
    onEnd: ends.add,
    /** Adds a connection. `end` is called when its entry goes or has another token. */
    connect(connection: GateConnection, end: () => void) {
      const one: Connected = { connection, end }
      connected.set(connection.id, one)
      store.settings.setFact(SEEN, { ...seen(), [connection.client]: clock.now() })
      changed()
      return {
        /** Takes what the agent says of itself. */
        update(more: Partial<GateConnection>): void {
          one.connection = { ...one.connection, ...more }
          changed()
        },
        close(): void {
          if (connected.delete(connection.id)) changed()
        },
      }
    },
    count: (client: string): number => [...connected.values()].filter(({ connection }) => connection.client === client).length,
    /** Told when entries or connections change. Returns its undo. */
    onChange: listeners.add,
    dispose(): void {
      for (const { end } of [...connected.values()]) end()
    },
  }
}

const digest = (token: string): Buffer => createHash('sha256').update(token).digest()

function newToken(): { readonly token: string; readonly tokenHash: string } {
  const token = `${gateTokenPrefix}${randomBytes(32).toString('base64url')}`
  return { token, tokenHash: digest(token).toString('hex') }
}
