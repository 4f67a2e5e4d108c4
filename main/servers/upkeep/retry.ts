// When a server that failed is started again: at its time, and once the network is there or another one.
import type { ServerState } from '#app/server/state.ts'
import type { Clock } from '#main/base/clock.ts'
import type { RemoteCare } from './remote-care.ts'

/** A timer that comes so much later has slept with the computer, and so have those of the others: then one after another. */
const lateMs = 5000

/** Returns its undo. */
export function retryLater(
  { retryAt, offline }: Pick<Extract<ServerState, { kind: 'failed' }>, 'retryAt' | 'offline'>,
  { clock, care, again }: { readonly clock: Clock; readonly care: RemoteCare; readonly again: () => void },
): () => void {
  const undo: (() => void)[] = []
  const inTurn = (): void => void undo.push(care.inTurn(again))
  if (retryAt !== undefined) undo.push(clock.after(retryAt - clock.now(), () => (clock.now() - retryAt > lateMs ? inTurn() : again())))
  if (offline) undo.push(care.whenNetworkChanges(inTurn))
  return () => {
    for (const each of undo.splice(0)) each()
  }
}
