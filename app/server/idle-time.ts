// When a server that nobody needs is stopped, as its definition says (`idleMinutes`). Pure; `main/servers/lifecycle/idle-stop.ts`
// looks again when it is told to.

export type IdleStep =
  | { readonly kind: 'never' }
  /** Looked at again after so many milliseconds. */
  | { readonly kind: 'look'; readonly afterMs: number }
  | { readonly kind: 'stop' }

export interface IdleFacts {
  readonly now: number
  /** When it became ready, or the last use of it ended. */
  readonly usedAt: number
  /** Something is under way, subscribed to or asked. */
  readonly needed: boolean
  /** Undefined: it is never stopped for that. */
  readonly idleMinutes: number | undefined
}

export function nextIdleStep({ now, usedAt, needed, idleMinutes }: IdleFacts): IdleStep {
  if (idleMinutes === undefined) return { kind: 'never' }
  const idleMs = idleMinutes * 60_000
  if (needed) return { kind: 'look', afterMs: idleMs }
  const left = usedAt + idleMs - now
  return left <= 0 ? { kind: 'stop' } : { kind: 'look', afterMs: left }
}
