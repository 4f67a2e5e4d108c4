// One errand at a time: whoever needs it while it is under way shares it. It is called off when nobody waits for it any
// more, unless a person asked for it, who waits at the page.

interface SingleFlight<Need, Result> {
  /** What is under way; undefined: nothing. */
  readonly current: Promise<Result> | undefined
  /** Starts it, unless one is under way: then that one is shared, whatever it was for. Rejects when `signal` aborts. */
  join(need: Need, signal: AbortSignal | undefined): Promise<Result>
  /** Ends what is under way, for all; resolves when it is over. */
  cancel(reason: Error): Promise<void>
}

export function createSingleFlight<Need, Result>(
  fly: (need: Need, signal: AbortSignal) => Promise<Result>,
  onAbandoned: () => Error,
): SingleFlight<Need, Result> {
  interface Flight {
    readonly result: Promise<Result>
    readonly control: AbortController
    waiting: number
  }
  let flight: Flight | undefined

  function start(need: Need): Flight {
    const control = new AbortController()
    const result = fly(need, control.signal).finally(() => {
      if (flight === mine) flight = undefined
    })
    result.catch(() => undefined) // Whoever waits for it is told.
    const mine: Flight = { result, control, waiting: 0 }
    return mine
  }

  return {
    get current() {
      return flight?.result
    },
    async join(need, signal) {
      signal?.throwIfAborted()
      flight ??= start(need)
      const shared = flight
      shared.waiting += 1
      const left = Promise.withResolvers<never>()
      const onAbort = (): void => left.reject(signal?.reason)
      signal?.addEventListener('abort', onAbort, { once: true })
      try {
        return await Promise.race([shared.result, left.promise])
      } finally {
        signal?.removeEventListener('abort', onAbort)
        shared.waiting -= 1
        if (shared.waiting === 0 && flight === shared) shared.control.abort(onAbandoned())
      }
    },
    async cancel(reason) {
      const ending = flight
      ending?.control.abort(reason)
      await ending?.result.catch(() => undefined)
    },
  }
}
