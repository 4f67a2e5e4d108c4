// Decides when an idle server is stopped (`idleMinutes`). Pure; `main/servers/lifecycle/idle-stop.ts` acts on it.
export type IdleStep =
  | { readonly kind: 'never' }
  /** Check again after `afterMs` milliseconds. */
  | { readonly kind: 'look'; readonly afterMs: number }
  | { readonly kind: 'stop' }

export interface IdleFacts {
  readonly now: number
  readonly usedAt: number
  readonly needed: boolean
  readonly idleMinutes: number | undefined
}

export function nextIdleStep({ now, usedAt, needed, idleMinutes }: IdleFacts): IdleStep {
  if (idleMinutes === undefined) return { kind: 'never' }
  const idleMs = idleMinutes * 60_000
  if (needed) return { kind: 'look', afterMs: idleMs }
  const left = usedAt + idleMs - now
  return left <= 0 ? { kind: 'stop' } : { kind: 'look', afterMs: left }
}
