/** Time as a seam: everything that waits or reads the time takes a Clock, so that tests control it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Runs `callback` after `ms`; returns its undo. The timer does not keep the process alive. */
  after(ms: number, callback: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms)
    timer.unref()
    return () => clearTimeout(timer)
  },
}
