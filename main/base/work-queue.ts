export type WorkQueue = ReturnType<typeof createWorkQueue>

/** Runs one piece of work after the other, whether the one before failed or not. */
export function createWorkQueue() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work)
    last = next.catch(() => undefined)
    return next
  }
}
