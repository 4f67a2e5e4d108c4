// Performs the steps of `shutdown.ts` on one process: the one timer, the signals, and the wait for what the process left
// behind. Nothing is signalled once nothing is left, for the operating system may give the number to somebody else.
import type { Clock } from '#main/base/clock.ts'
import type { ShutdownGrace } from './limits.ts'
import type { ProcessGroup } from './process-group.ts'
import { nextShutdown, type Shutdown, type ShutdownEvent } from './shutdown.ts'

export interface Termination {
  /** Ends it, in good order. Asking again changes nothing. */
  close(): void
  /** Ends it, in good order; asked again, at once. */
  stop(): void
  /** The process itself has ended. */
  exited(): void
  /** Resolves when nothing is left of it, or with `given-up` when the kernel would not end what is. */
  readonly gone: Promise<'gone' | 'given-up'>
}

/** Looking costs a little, so each look waits longer than the one before. */
const pollMs = { first: 10, last: 200 }

export function createTermination(options: {
  readonly group: ProcessGroup
  readonly endInput: () => void
  readonly clock: Clock
  readonly grace: ShutdownGrace
}): Termination {
  const { group, clock, grace } = options
  const gone = Promise.withResolvers<'gone' | 'given-up'>()
  let state: Shutdown = { kind: 'running' }
  let stops = 0
  let cancelWait: (() => void) | undefined
  let cancelPoll: (() => void) | undefined
  // The clock's timers let Node end; a shutdown under way must not be cut short by that.
  let keepAlive: NodeJS.Timeout | undefined

  const send = (event: ShutdownEvent): void => {
    const step = nextShutdown(state, event, group.signals)
    state = step.state
    if (step.wait) {
      cancelWait?.()
      cancelWait = clock.after(grace[step.wait], () => send({ kind: 'timeout' }))
      keepAlive ??= setInterval(() => {}, 2 ** 30)
    }
    if (step.effect === 'end-input') options.endInput()
    else if (step.effect) group[step.effect]()
    if (state.kind === 'gone') finish(event.kind === 'timeout' ? 'given-up' : 'gone')
  }

  const finish = (how: 'gone' | 'given-up'): void => {
    cancelWait?.()
    cancelPoll?.()
    clearInterval(keepAlive)
    gone.resolve(how)
  }

  const look = (wait: number): void => {
    if (state.kind === 'gone') return
    if (group.alive()) cancelPoll = clock.after(wait, () => look(Math.min(wait * 1.5, pollMs.last)))
    else send({ kind: 'group-empty' })
  }

  return {
    close: () => send({ kind: 'close' }),
    stop() {
      send({ kind: stops === 0 ? 'close' : 'force' })
      stops += 1
    },
    exited() {
      send({ kind: 'exited', left: group.alive() })
      look(pollMs.first)
    },
    gone: gone.promise,
  }
}
