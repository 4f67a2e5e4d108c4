// Quitting: all processes of servers are ended and the store is closed before the app exits, which it does after five seconds at the latest.
import { app } from 'electron'
import type { Clock } from '#main/base/clock.ts'
import type { Log } from '#main/base/host-log.ts'

const longest = 5000

export type Leave = (code: number, last?: () => void) => void

/** `dispose` is called once. */
export function disposeBeforeQuit(dispose: () => Promise<void>, { clock, log }: { readonly clock: Clock; readonly log: Log }): Leave {
  let leaving = false
  const leave: Leave = (code, last) => {
    if (leaving) return
    leaving = true
    const late = Promise.withResolvers<void>()
    const cancel = clock.after(longest, () => {
      log.error('Not everything could be ended in five seconds.')
      late.resolve()
    })
    const done = dispose().catch((error: unknown) => log.error('Closing failed', error))
    void Promise.race([done, late.promise]).then(() => {
      cancel()
      last?.()
      app.exit(code)
    })
  }
  app.on('will-quit', (event) => {
    event.preventDefault()
    leave(0)
  })
  return leave
}
