// The question about unsaved text.
import { app, type BrowserWindow, dialog } from 'electron'
import { t } from '#app/i18n/translate.ts'
import type { Log } from '#main/base/host-log.ts'

/**
 * Asks before a page with unsaved text is closed, reloaded, or left by a quit: Electron shows no question itself. The page stays at first,
 * and after a yes the same step is repeated; a blocking dialog would stop the host meanwhile. Call once, before there is a window.
 * Returns a function that guards one window.
 */
export function createUnloadGuard(log: Log): (window: BrowserWindow) => void {
  let quitting = false
  app.on('before-quit', () => {
    quitting = true
  })
  return (window) => {
    const { webContents } = window
    let closing = false
    let asked = false
    let leaving = false
    let again = (): void => undefined
    window.on('close', () => {
      closing = true
    })
    webContents.on('did-finish-load', () => {
      leaving = false
    })
    webContents.on('will-prevent-unload', (event) => {
      again = quitting ? () => app.quit() : closing ? () => window.close() : () => webContents.reload()
      closing = false
      if (leaving) {
        leaving = false
        event.preventDefault()
        return
      }
      if (asked) return
      asked = true
      void askToLeave(window, log).then((leave: boolean) => {
        asked = false
        if (!leave) quitting = false
        if (!leave || window.isDestroyed()) return
        leaving = true
        again()
      })
    })
  }
}

/** Asks the person; the default answer, which Escape gives too, loses nothing. */
async function askToLeave(window: BrowserWindow, log: Log): Promise<boolean> {
  if (window.isMinimized()) window.restore()
  window.focus()
  try {
    const { response } = await dialog.showMessageBox(window, {
      type: 'question',
      message: t`Leave without saving?`,
      detail: t`There are changes that are not saved.`,
      buttons: [t`Stay here`, t`Leave without saving`],
      defaultId: 0,
      cancelId: 0,
    })
    return response === 1
  } catch (error) {
    log.error('The question about unsaved text could not be asked', error)
    return false
  }
}
