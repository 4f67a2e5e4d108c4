// A page that ended, was not loaded, has no bridge to the host or does not answer: written down, and loaded again or asked
// about. Chats and requests are the host's, so that a page may go at any time.
import { type BrowserWindow, dialog } from 'electron'
import { t } from '#app/words/translate.ts'
import type { Clock } from '#main/base/clock.ts'
import type { Log } from '#main/base/log.ts'

/** A crash within this many milliseconds of the last one is not answered by yet another reload. */
const crashWindow = 60_000
/** Chromium's number for a load that something else took the place of, as a page that stays does. */
const aborted = -3

interface Question {
  readonly message: string
  readonly detail: string
  readonly buttons: readonly [go: string, stay: string]
  readonly go: () => void
  readonly stay: () => void
}

export function watchPage(window: BrowserWindow, { clock, log }: { readonly clock: Clock; readonly log: Log }): void {
  const { webContents } = window
  let asking = false
  const ask = ({ message, detail, buttons, go, stay }: Question): void => {
    if (asking || window.isDestroyed()) return
    asking = true
    // It may never have had something to show.
    window.show()
    dialog
      .showMessageBox(window, { type: 'error', message, detail, buttons: [...buttons], defaultId: 0, cancelId: 1 })
      .then(({ response }) => {
        asking = false
        if (!window.isDestroyed()) (response === 0 ? go : stay)()
      })
      .catch((error: unknown) => {
        asking = false
        log.error('A question about a page that failed could not be asked', error)
      })
  }
  const reloadOrClose = () => ({
    buttons: [t`Load again`, t`Close window`] as const,
    go: () => webContents.reload(),
    stay: () => window.destroy(),
  })

  let lastCrash = Number.NEGATIVE_INFINITY
  webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return
    log.error(`The page ended: ${reason} (${exitCode})`)
    const again = clock.now() - lastCrash < crashWindow
    lastCrash = clock.now()
    if (!again) webContents.reload()
    else
      ask({
        message: t`The page ended twice within a minute.`,
        detail: t`Your chats and open requests are kept. Load the page again, or close this window.`,
        ...reloadOrClose(),
      })
  })
  webContents.on('did-fail-load', (_event, code, description, _url, isMainFrame) => {
    if (!isMainFrame || code === aborted) return
    log.error(`The page was not loaded: ${description} (${code})`)
    ask({ message: t`The page could not be loaded.`, detail: `${description} (${code})`, ...reloadOrClose() })
  })
  webContents.on('preload-error', (_event, _path, error) => {
    log.error('The page has no bridge to the host', error)
    ask({
      message: t`The page cannot reach Assent.`,
      detail: t`Load it again. If that does not help, install Assent again.`,
      ...reloadOrClose(),
    })
  })
  webContents.on('unresponsive', () => {
    log.warn('The page does not answer.')
    ask({
      message: t`The page does not answer.`,
      detail: t`Your chats and open requests are kept. Unsaved text is lost if you load it again.`,
      buttons: [t`Load again`, t`Wait`],
      // It ends, and so is loaded again.
      go: () => webContents.forcefullyCrashRenderer(),
      stay: () => undefined,
    })
  })
  webContents.on('responsive', () => log.info('The page answers again.'))
}
