// Rejects all pending requests when the connection ends. A promise keeps every listener it ever had and a connection may last for
// weeks, so each request that has its response is forgotten here.
export type DisconnectRace = ReturnType<typeof createDisconnectRace>

/** `over`: why it ended. Must not reject. */
export function createDisconnectRace(over: Promise<Error>) {
  const waiting = new Set<(error: Error) => void>()
  let why: Error | undefined
  void over.then((error) => {
    why = error
    for (const tell of waiting) tell(error)
    waiting.clear()
  })
  return {
    watch() {
      const { promise, reject } = Promise.withResolvers<never>()
      promise.catch(() => undefined) // Who released it has nothing left to hear.
      if (why) reject(why)
      else waiting.add(reject)
      return { promise, release: () => void waiting.delete(reject) }
    },
    get size(): number {
      return waiting.size
    },
  }
}
