// A page that holds on to unsaved text when its window is to close, its app to quit or it is to be loaded again. Electron
// shows no question for that: it asks its listeners, and without their word the page stays and a quit is taken back. So
// the page stays at first, the person is asked, and after a yes the same is done once more. The host runs on meanwhile,
// which it would not behind a box that blocks.
import { app, type BrowserWindow, dialog } from 'electron'
import { t } from '#app/words/translate.ts'
import type { Log } from '#main/base/log.ts'

/** Once, before there is a window. Returns what guards one window. */
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
    /** What the page was asked to go for. */
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
      void askToLeave(window, log).then((leave) => {
        asked = false
        if (!leave) quitting = false
        if (!leave || window.isDestroyed()) return
        leaving = true
        again()
      })
    })
  }
}

/** The first answer, which Escape gives too, is the one that loses nothing. */
async function askToLeave(window: BrowserWindow, log: Log): Promise<boolean> {
  if (window.isMinimized()) window.restore()
  window.focus()
  try {
    const { response } = await dialog.showMessageBox(window, {
      type: 'question',
      message: t`Leave what is not saved?`,
      detail: t`There are changes that are not saved.`,
      buttons: [t`Stay here`, t`Leave and lose it`],
      defaultId: 0,
      cancelId: 0,
    })
    return response === 1
  } catch (error) {
    log.error('The question about unsaved text could not be asked', error)
    return false
  }
}
