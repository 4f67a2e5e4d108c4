// Leaving: every server's processes are ended and the store is closed before the app goes, but it goes in five seconds
// at the latest. Asking to quit twice changes nothing.
import { app } from 'electron'
import type { Clock } from '#main/base/clock.ts'
import type { Log } from '#main/base/host-log.ts'

const longest = 5000

/** Ends everything, does `last`, and then the app ends with this code. Only the first one counts. */
export type Leave = (code: number, last?: () => void) => void

/** `dispose` is called once. */
export function disposeBeforeQuit(dispose: () => Promise<void>, { clock, log }: { readonly clock: Clock; readonly log: Log }): Leave {
  let leaving = false
  const leave: Leave = (code, last) => {
    if (leaving) return
    leaving = true
    let cancel = (): void => undefined
    const late = new Promise<void>((resolve) => {
      cancel = clock.after(longest, () => {
        log.error('Not everything could be ended in five seconds.')
        resolve()
      })
    })
    const done = dispose().catch((error: unknown) => log.error('Closing failed', error))
    void Promise.race([done, late]).then(() => {
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
