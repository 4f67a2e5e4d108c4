// A chat is about to be answered, and of some servers nobody knows what they offer: those are needed now. What the person
// stopped, refused, or what failed, waits for the person.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '#main/base/clock.ts'
import type { Server } from '../server.ts'
import type { Servers } from '../types.ts'

type AwaitedLists = Parameters<Servers['listed']>[0] & { readonly clock: Clock }

/** Resolves when they have started or failed, or when the time is over. */
export async function awaitLists(servers: Iterable<Server>, { conversationId, signal, withinMs, clock }: AwaitedLists): Promise<void> {
  const unknown = [...servers].filter(({ catalogue }) => catalogue.current().fetchedAt === undefined)
  for (const { supervisor, causes } of unknown) {
    const { state } = supervisor
    if (state.kind !== 'stopped' || (state.reason !== 'never-started' && state.reason !== 'idle')) continue
    const leave = causes.add({ conversationId })
    supervisor.ready('launch').then(leave, leave) // Its state says why it failed.
  }
  await nextTurn() // A launch that has to be asked for is asked for now, and not waited for here.
  const coming = unknown.filter(({ supervisor }) => supervisor.state.kind === 'starting')
  if (coming.length === 0 || signal.aborted) return
  const { promise: over, resolve } = Promise.withResolvers<void>()
  const stopTimer = clock.after(withinMs, resolve)
  signal.addEventListener('abort', () => resolve(), { once: true })
  // A start that fails owes nothing any more; its state says why.
  await Promise.race([over, Promise.allSettled(coming.map(({ supervisor }) => supervisor.ready('launch')))])
  stopTimer()
}
