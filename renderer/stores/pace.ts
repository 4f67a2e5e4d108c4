// Fifty servers that start at once tell of a step thirty times a second, and each is a page to draw: beside them, for the same
// processors. One server's steps are shown as they come; what comes thick is shown some times a second, with what is newest.
import type { ServerView } from '#app/server/view.ts'

/** So many are shown at once, as many as two servers take to start, and so many a second from then on. */
const atOnce = 10
const everyMs = 125

export interface Pace {
  /** `isNews`: more than how it goes with a server that is known. It is shown now, with what was held back. */
  take(server: ServerView, isNews: boolean): void
  /** Shows what is held back: something comes that may stand on it. */
  flush(): void
  /** What is held back is not shown any more. */
  drop(): void
}

/** `show`: all of them together, in the order in which they came first. `now`: milliseconds. */
export function createPace(show: (servers: readonly ServerView[]) => void, now: () => number = () => performance.now()): Pace {
  const held = new Map<string, ServerView>()
  let left = atOnce
  let filledAt = now()
  let timer: ReturnType<typeof setTimeout> | undefined

  const drop = (): void => {
    clearTimeout(timer)
    timer = undefined
    held.clear()
  }
  const flush = (): void => {
    const servers = [...held.values()]
    drop()
    if (servers.length > 0) show(servers)
  }
  return {
    take(server, isNews) {
      held.set(server.name, server)
      const filled = Math.min(atOnce - left, Math.floor((now() - filledAt) / everyMs))
      left += filled
      filledAt = left === atOnce ? now() : filledAt + filled * everyMs
      if (isNews || left > 0) {
        left = Math.max(0, left - 1)
        flush()
      } else timer ??= setTimeout(flush, everyMs)
    },
    flush,
    drop,
  }
}
