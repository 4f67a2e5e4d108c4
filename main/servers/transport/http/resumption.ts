// Resumed streams (Streamable HTTP, "Resumability and Redelivery"): the events of each, so that none is taken twice, and its failed
// attempts, so that a server that ends them all is asked ever more seldom and then no more. The SDK sends the requests.

export interface StreamPosition {
  /** The Last-Event-ID that it was asked for with. */
  readonly from: string | undefined
  saw(id: string): 'new' | 'before'
  brought(): void
}

/** Ids of one stream that are remembered: a server sends again what came after an id, which is seldom more. */
const maxIds = 10_000
const maxStreams = 200
const maxInVain = 8
/** A stream that stood so long was not in vain, though nothing was said in it. */
const lastedMs = 10_000
const longestWaitMs = 30_000

export function createResumption(now: () => number) {
  /** Streams by the id that each would be resumed from. */
  const streams = new Map<string, Set<string>>()
  const inVain = new Map<string, { readonly times: number; readonly at: number }>()
  const keyOf = (from: string | undefined): string => (from === undefined ? 'new' : `id ${from}`)

  function place(from: string | undefined, ids: Set<string>, key: string | undefined): StreamPosition {
    const before: ReadonlySet<string> = new Set(ids)
    let last = from
    return {
      from,
      saw(id) {
        if (before.has(id)) return 'before'
        if (last !== undefined) streams.delete(last)
        if (ids.size >= maxIds) for (const oldest of [...ids].slice(0, maxIds / 2)) ids.delete(oldest)
        ids.add(id)
        last = id
        streams.set(id, ids)
        dropOldest(streams)
        return 'new'
      },
      brought() {
        if (key !== undefined) inVain.delete(key)
      },
    }
  }

  return {
    begin: () => place(undefined, new Set(), undefined),
    resume: (from: string | undefined) =>
      place(from, (from === undefined ? undefined : streams.get(from)) ?? new Set(from === undefined ? [] : [from]), keyOf(from)),
    /** Decides what to do before a GET: the time to wait, in milliseconds, or to leave it. */
    next(from: string | undefined): number | 'enough' {
      const key = keyOf(from)
      const last = inVain.get(key)
      const times = last === undefined || now() - last.at > lastedMs ? 0 : last.times
      if (times >= maxInVain) return 'enough'
      // The first ones are as soon as the server asked for: the transport has waited for that.
      const wait = times < 2 ? 0 : Math.min(250 * 2 ** times, longestWaitMs)
      inVain.delete(key)
      inVain.set(key, { times: times + 1, at: now() + wait })
      dropOldest(inVain)
      return wait
    },
  }
}

function dropOldest(known: Map<string, unknown>): void {
  for (const oldest of known.keys()) {
    if (known.size <= maxStreams) return
    known.delete(oldest)
  }
}
