// Listeners of one thing that changes or tells something.

export interface Listeners<A extends readonly unknown[]> {
  /** Returns its undo. */
  readonly add: (listener: (...told: A) => void) => () => void
  /** Calls those that listen now, but none that another one has taken away meanwhile. */
  readonly tell: (...told: A) => void
  readonly clear: () => void
}

export function createListeners<A extends readonly unknown[] = []>(): Listeners<A> {
  const all = new Set<(...told: A) => void>()
  return {
    add(listener) {
      all.add(listener)
      return () => void all.delete(listener)
    },
    tell(...told) {
      for (const listener of [...all]) if (all.has(listener)) listener(...told)
    },
    clear: () => all.clear(),
  }
}
