// What looks wrong with a server that is still waited for is said at once, on stderr: who waits at a terminal would else learn
// it only when the time of its start is over.
import type { Host } from '#main/host.ts'
import { type Output, visibleLine } from './output.ts'

/** Each server once. Returns its undo. */
export function sayDoubts(host: Pick<Host, 'onEvent'>, output: Pick<Output, 'note'>): () => void {
  const said = new Set<string>()
  return host.onEvent((event) => {
    if (event.name !== 'server.changed') return
    const { name, state } = event.payload.server
    if (state.kind !== 'starting' || state.diagnosis === undefined || said.has(name)) return
    said.add(name)
    const { message, why, remedy } = state.diagnosis
    output.note(`assent: ${[message, why, remedy].map(visibleLine).join(' ')}`)
  })
}
