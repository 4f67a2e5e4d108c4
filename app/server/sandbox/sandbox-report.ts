// What a sandboxed server tried to reach in this run: hosts that it reached, and those that were refused. Kept in memory, and bounded.
import { z } from 'zod'

/**
 * `not-granted`: no pattern covers the host. `denied`: one denies it. `private-address`: its name leads into this computer or its network.
 * `not-found`: its name has no address. `unreachable`: nothing answered there. `malformed`: no host.
 */
const hostRefusal = z.enum(['not-granted', 'denied', 'private-address', 'not-found', 'unreachable', 'malformed'])
export type HostRefusal = z.infer<typeof hostRefusal>

/** Attempts at one host and port, counted together. */
export const hostAttempts = z.object({
  host: z.string(),
  port: z.number().int(),
  /** Absent: it was reached. */
  refused: hostRefusal.optional(),
  count: z.number().int(),
  /** Milliseconds since the epoch. */
  firstAt: z.number(),
  lastAt: z.number(),
})
export type HostAttempts = z.infer<typeof hostAttempts>
