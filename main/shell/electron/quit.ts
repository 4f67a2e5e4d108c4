// Leaving: every server's processes are ended and the store is closed before the app goes, but it goes in five seconds
// at the latest. Asking to quit twice changes nothing.
import { app } from 'electron'
import type { Clock } from '#main/base/clock.ts'
import type { Log } from '#main/base/log.ts'

const longest = 5000

/** Returns its undo. `dispose` is called once. */
export function disposeBeforeQuit(dispose: () => Promise<void>, { clock, log }: { readonly clock: Clock; readonly log: Log }): () => void {
  let leaving = false
  const onWillQuit = (event: { preventDefault(): void }): void => {
    event.preventDefault()
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
      app.exit(0)
    })
  }
  app.on('will-quit', onWillQuit)
  return () => void app.off('will-quit', onWillQuit)
}
