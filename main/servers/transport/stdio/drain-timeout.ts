// Decides when to give up a pipe of a process that has ended, for a grandchild may hold it open. Time alone does not tell: on a
// busy loop it is over before anybody has read, and the last lines of a crash say why.
import type { Readable } from 'node:stream'
import { doneWithin } from '#main/base/abort.ts'
import type { Clock } from '#main/base/clock.ts'

/** Turns of the loop in which nothing came, one after the other, before it counts as quiet. */
const quietTurns = 2
/** No grandchild talks on without end: each turn reads 64 kB at most. */
const mostTurns = 100

/** Resolves when the pipe has `ended`, or once `ms` have passed and the loop has looked for more in vain. */
export async function waitForDrain(
  stream: Readable,
  { ended, ms, clock }: { readonly ended: Promise<void>; readonly ms: number; readonly clock: Clock },
): Promise<void> {
  if (await doneWithin(ended, clock, ms)) return
  let over = false
  void ended.then(() => {
    over = true
  })
  let came = false
  const onData = (): void => {
    came = true
  }
  stream.on('data', onData)
  for (let [turn, quiet] = [0, 0]; !over && turn < mostTurns && quiet < quietTurns; turn += 1) {
    await new Promise((next) => setImmediate(next))
    quiet = came ? 0 : quiet + 1
    came = false
  }
  stream.off('data', onData)
}
