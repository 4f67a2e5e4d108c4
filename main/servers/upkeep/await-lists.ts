// A chat is about to be answered, and of some servers nobody knows what they offer: those are needed now. What the person
// stopped, refused, or what failed, waits for the person.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Server } from '../server.ts'
import type { Servers } from '../types.ts'

type AwaitedLists = Parameters<Servers['listed']>[0] & {
  /** Told of each change of a server. Returns its undo. */
  readonly onChanged: (listener: () => void) => () => void
}

/** Resolves when each has started, has failed or was refused, and when the signal aborts. */
export async function awaitLists(servers: Iterable<readonly [string, Server]>, options: AwaitedLists): Promise<void> {
  const { conversationId, signal, wanted, onWaiting, onChanged } = options
  const unknown = [...servers].filter(([name, { catalogue }]) => catalogue.current().fetchedAt === undefined && wanted(name))
  for (const [, server] of unknown) if (isForNow(server)) void begun(server)
  await nextTurn() // What fails at once has failed.
  const left = new Map(unknown.filter(([, server]) => isComing(server)))
  if (left.size === 0 || signal.aborted) return
  const { promise: over, resolve } = Promise.withResolvers<void>()
  const tell = (): void => onWaiting([...left].map(([name, server]) => ({ name, asked: isAsked(server) })))
  const stop = onChanged(tell)
  const onAbort = (): void => resolve()
  signal.addEventListener('abort', onAbort, { once: true })
  for (const [name, server] of left)
    void begun(server).then(() => {
      left.delete(name)
      if (left.size === 0) resolve()
      else tell()
    })
  tell()
  await over
  signal.removeEventListener('abort', onAbort)
  stop()

  /** Starts it if need be; what it asks meanwhile is asked in this chat. Its state says why it failed. */
  function begun({ supervisor, causes }: Server): Promise<void> {
    const leave = causes.add({ conversationId })
    return supervisor.ready('launch').then(
      () => void leave(),
      () => void leave(),
    )
  }
}

function isForNow({ supervisor: { state } }: Server): boolean {
  return state.kind === 'stopped' && (state.reason === 'never-started' || state.reason === 'idle')
}

function isComing({ supervisor: { state } }: Server): boolean {
  return state.kind === 'starting' || state.kind === 'waiting' || (state.kind === 'stopping' && state.next === 'starting')
}

/** It waits for the person: for their yes to its launch, or to a sign-in. */
function isAsked({ supervisor: { state } }: Server): boolean {
  return state.kind === 'waiting' || (state.kind === 'starting' && state.step === 'signing-in')
}
