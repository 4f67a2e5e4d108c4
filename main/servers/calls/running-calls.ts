import type { Patience } from './patience.ts'

/** The calls in flight on one connection: whose course a server's question belongs to, and whose time it stops. */
export interface RunningCalls {
  /** Returns its undo. */
  add(callId: string, patience: Patience): () => void
  /** Something else that waits for the server: its time stops too. Returns its undo. */
  watch(patience: Patience): () => void
  /** The one call in flight; undefined when there is none or more than one, for then nobody knows. */
  only(): string | undefined
  /** Something waits for the server. */
  busy(): boolean
  /** Stops the time of all until the returned function is called. */
  pause(): () => void
}

export function createRunningCalls(): RunningCalls {
  const running = new Map<string, Patience>()
  const others = new Set<Patience>()
  return {
    add(callId, patience) {
      running.set(callId, patience)
      return () => running.delete(callId)
    },
    watch(patience) {
      others.add(patience)
      return () => others.delete(patience)
    },
    only: () => (running.size === 1 ? running.keys().next().value : undefined),
    busy: () => running.size > 0 || others.size > 0,
    pause() {
      const resumes = [...running.values(), ...others].map((patience) => patience.pause())
      return () => {
        for (const resume of resumes) resume()
      }
    },
  }
}
