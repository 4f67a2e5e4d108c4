// The host's stream of events. Every event gets the next revision; a snapshot taken now is at `revision`.
import type { EventName, EventPayload, HostEvent } from '#app/contract/events.ts'

export type Emit = <N extends EventName>(name: N, payload: EventPayload<N>) => void

export interface EventHub {
  readonly emit: Emit
  /** Returns its undo. A listener that throws does not affect the others. */
  onEvent(listener: (event: HostEvent) => void): () => void
  readonly revision: number
}

export function createEventHub(onListenerError: (error: unknown) => void): EventHub {
  const listeners = new Set<(event: HostEvent) => void>()
  let revision = 0
  const queue: HostEvent[] = []
  let telling = false

  function tell(event: HostEvent): void {
    for (const listener of [...listeners]) {
      try {
        listener(event)
      } catch (error) {
        onListenerError(error)
      }
    }
  }

  return {
    emit(name, payload) {
      revision += 1
      queue.push({ name, revision, payload } as HostEvent)
      // Events that a listener emits come after the present one for all listeners, so revisions only go up.
      if (telling) return
      telling = true
      for (let event = queue.shift(); event; event = queue.shift()) tell(event)
      telling = false
    },
    onEvent(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    get revision() {
      return revision
    },
  }
}
