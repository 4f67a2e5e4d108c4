// The host's one stream of events. Every event gets the next revision; a snapshot taken now is at `revision`.
import type { EventName, EventPayload, HostEvent } from '#app/contract/events.ts'

export type Emit = <N extends EventName>(name: N, payload: EventPayload<N>) => void

export interface EventHub {
  readonly emit: Emit
  /** Returns its undo. A listener that throws costs the others nothing. */
  onEvent(listener: (event: HostEvent) => void): () => void
  readonly revision: number
}

export function createEventHub(onListenerError: (error: unknown) => void): EventHub {
  const listeners = new Set<(event: HostEvent) => void>()
  let revision = 0
  return {
    emit(name, payload) {
      revision += 1
      const event = { name, revision, payload } as HostEvent
      for (const listener of [...listeners]) {
        try {
          listener(event)
        } catch (error) {
          onListenerError(error)
        }
      }
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
