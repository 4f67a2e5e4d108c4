// Runs one task at a time. Callers that need it meanwhile share its result. The task is aborted when nobody waits for it any more.
import { orAborted } from '#main/base/abort.ts'

export function createSingleFlight<Need, Result>(run: (need: Need, signal: AbortSignal) => Promise<Result>, onAbandoned: () => Error) {
  interface Flight {
    readonly result: Promise<Result>
    readonly control: AbortController
    waiting: number
  }
  let flight: Flight | undefined

  function start(need: Need): Flight {
    const control = new AbortController()
    const result = run(need, control.signal).finally(() => {
      if (flight === mine) flight = undefined
    })
    result.catch(() => undefined) // Callers get the error from their own promise.
    const mine: Flight = { result, control, waiting: 0 }
    return mine
  }

  return {
    get current(): Promise<Result> | undefined {
      return flight?.result
    },
    /** Starts the task, or shares the one under way whatever it was for. Rejects when `signal` aborts. */
    async join(need: Need, signal: AbortSignal | undefined): Promise<Result> {
      signal?.throwIfAborted()
      flight ??= start(need)
      const shared = flight
      shared.waiting += 1
      try {
        return await (signal ? orAborted(shared.result, signal, () => signal.reason) : shared.result)
      } finally {
        shared.waiting -= 1
        if (shared.waiting === 0 && flight === shared) shared.control.abort(onAbandoned())
      }
    },
    async cancel(reason: Error): Promise<void> {
      const ending = flight
      ending?.control.abort(reason)
      await ending?.result.catch(() => undefined)
    },
  }
}
