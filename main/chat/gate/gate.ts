// The gate: other agents use the servers of Assent through it (`assent mcp`), each under an entry that the person made.
import { createGateClients, type GateClientsOptions } from './gate-clients.ts'

export type Gate = ReturnType<typeof createGate>

export function createGate(options: GateClientsOptions) {
  const clients = createGateClients(options)
  return { clients, dispose: () => clients.dispose() }
}
