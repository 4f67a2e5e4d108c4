// What ends with a server that the person removes: its approvals and its trust. They come back when the removal is undone,
// for exactly the same entry: another server that gets the name has none of them.
import { isDeepStrictEqual } from 'node:util'
import type { Rule } from '#app/consent/rule.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import type { HostParts } from './handlers.ts'

interface Removed {
  readonly definition: ServerDefinition
  readonly trust: string | undefined
  readonly rules: readonly Rule[]
}

const removed = new WeakMap<HostParts['broker'], Map<string, Removed>>()

export function endWith({ broker, store }: HostParts, name: string, definition: ServerDefinition | undefined): void {
  const rules = broker.endApprovals(name, 'server-removed')
  const trust = store.servers.trusted().get(name)
  store.servers.putTrust(name, undefined)
  if (!definition) return
  const known = removed.get(broker) ?? new Map<string, Removed>()
  removed.set(broker, known.set(name, { definition, trust, rules }))
}

/** After the text of the file was saved. */
export function bringBack({ broker, store, config, servers }: HostParts): void {
  for (const [name, { definition, trust, rules }] of removed.get(broker) ?? []) {
    const now = config.definitions().get(name)
    if (now === undefined) continue
    removed.get(broker)?.delete(name)
    if (!isDeepStrictEqual({ ...now, trusted: false }, { ...definition, trusted: false })) continue
    broker.restoreApprovals(rules)
    if (trust === undefined) continue
    store.servers.putTrust(name, trust)
    servers.configure(config.definitions())
  }
}
