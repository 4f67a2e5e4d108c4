// A stand-in for the `electron` module: it records what it is asked and does nothing. Each part is checked against the
// package's own electron.d.ts, so a call whose signature changes there fails to compile here. Use:
//   vi.mock('electron', () => import('<path>/e2e/electron-fake/electron.ts'))
import { app } from './app.ts'
import { resetDesktop } from './desktop.ts'
import { resetIpc } from './ipc.ts'
import { autoUpdater } from './net.ts'
import { calls } from './record.ts'
import { FakeSession, session } from './session.ts'
import { applicationMenus, dialogAnswers, displays, forked, keyring, menus, Notification, nativeTheme, protocolHandlers } from './system.ts'
import { BrowserWindow } from './window.ts'

export { app } from './app.ts'
export { crashReporter, globalShortcut, nativeImage, powerMonitor, Tray } from './desktop.ts'
export { contextBridge, ipcMain, ipcRenderer } from './ipc.ts'
export { autoUpdater, net } from './net.ts'
export { session } from './session.ts'
export {
  clipboard,
  dialog,
  Menu,
  Notification,
  nativeTheme,
  protocol,
  safeStorage,
  screen,
  shell,
  utilityProcess,
} from './system.ts'
export { BrowserWindow } from './window.ts'

/** As if Electron had just started. */
export function resetElectron(): void {
  calls.length = 0
  app.restart()
  session.defaultSession = new FakeSession()
  resetIpc()
  resetDesktop()
  BrowserWindow.open = []
  BrowserWindow.focused = null
  Notification.forget()
  Object.assign(dialogAnswers, { folder: undefined, button: 0, waits: undefined })
  Object.assign(keyring, {
    tag: 'v11',
    backend: 'gnome_libsecret',
    answered: Promise.resolve(),
    encrypts: true,
    decrypts: 'yes',
    shouldReEncrypt: false,
  })
  displays.splice(0, displays.length, { workArea: { x: 0, y: 0, width: 1920, height: 1040 } })
  forked.length = 0
  menus.length = 0
  applicationMenus.length = 0
  protocolHandlers.clear()
  autoUpdater.forgetListeners()
  Object.assign(autoUpdater, { feed: undefined, fetched: undefined, refuses: undefined })
  nativeTheme.forgetListeners()
  nativeTheme.themeSource = 'system'
  nativeTheme.shouldUseDarkColors = false
}
