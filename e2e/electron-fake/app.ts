import type { App, CommandLine, Dock, Menu, Settings, Task } from 'electron'
import { Emitter, fakeEvent } from './emitter.ts'
import { record } from './record.ts'

/** A window as quitting needs it. */
interface Closable {
  close(): void
}

class FakeApp
  extends Emitter
  implements
    Pick<
      App,
      | 'on'
      | 'off'
      | 'once'
      | 'enableSandbox'
      | 'disableHardwareAcceleration'
      | 'requestSingleInstanceLock'
      | 'quit'
      | 'exit'
      | 'relaunch'
      | 'releaseSingleInstanceLock'
      | 'getName'
      | 'setPath'
      | 'getPath'
      | 'getVersion'
      | 'whenReady'
      | 'isPackaged'
      | 'setAsDefaultProtocolClient'
      | 'getPreferredSystemLanguages'
      | 'setAppUserModelId'
      | 'setActivationPolicy'
      | 'setToastActivatorCLSID'
      | 'commandLine'
      | 'setBadgeCount'
      | 'setUserTasks'
      | 'setLoginItemSettings'
      | 'getLoginItemSettings'
      | 'dock'
      | 'name'
    >
{
  hasLock = true
  isPackaged = false
  version = '9.9.9'
  readonly name = 'Assent'
  /** Switches of Chromium that the app was started with. */
  switches = new Set<string>()
  readonly commandLine = {
    hasSwitch: (name: string): boolean => this.switches.has(name),
    removeSwitch: (name: string): void => void this.switches.delete(name),
  } as CommandLine
  paths: Record<string, string> = { appData: '/nowhere' }
  isReadyNow: boolean = false
  openedAtLogin = false
  /** Login item as the system has it. `isOff`: the person turned it off in Task Manager or System Settings. */
  loginItem: { args: string | undefined; isOff: boolean } | undefined
  /** The test says when the app is ready. */
  ready = this.#notReady()
  /** Those of `BrowserWindow`, which imports this file. */
  windows: () => readonly Closable[] = () => []
  #quitting: boolean = false
  #sessionEnds: boolean = false
  #secondInstances: (readonly [argv: string[], folder: string])[] = []

  #notReady() {
    const { promise, resolve } = Promise.withResolvers<void>()
    return {
      promise,
      resolve: (): void => {
        this.isReadyNow = true
        resolve()
        for (const [argv, folder] of this.#secondInstances.splice(0)) this.fire('second-instance', fakeEvent(), argv, folder)
      },
    }
  }

  /** As if Electron had just started. */
  restart(): void {
    this.forgetListeners()
    Object.assign(this, {
      hasLock: true,
      isPackaged: false,
      version: '9.9.9',
      isReadyNow: false,
      openedAtLogin: false,
      loginItem: undefined,
      switches: new Set(),
      paths: { appData: '/nowhere' },
    })
    this.#quitting = false
    this.#sessionEnds = false
    this.#secondInstances = []
    this.ready = this.#notReady()
  }

  /** Another instance was started. "Guaranteed to be emitted after the `ready` event" (docs/api/app.md), and then to nobody who listens later. */
  secondInstance(argv: string[], folder = '/'): void {
    if (this.isReadyNow) this.fire('second-instance', fakeEvent(), argv, folder)
    else this.#secondInstances.push([argv, folder])
  }

  setAsDefaultProtocolClient(protocol: string): boolean {
    record('app.setAsDefaultProtocolClient', protocol)
    return true
  }
  getPreferredSystemLanguages(): string[] {
    return ['en-GB', 'de-AT']
  }
  enableSandbox(): void {
    record('app.enableSandbox')
  }
  disableHardwareAcceleration(): void {
    if (this.isReadyNow) throw new Error('app.disableHardwareAcceleration() can only be called before app is ready')
    record('app.disableHardwareAcceleration')
  }
  requestSingleInstanceLock(): boolean {
    record('app.requestSingleInstanceLock')
    return this.hasLock
  }
  /** Every window is asked to close; one that stays has taken the quit back (`Browser::Quit`, `OnWindowCloseCancelled`). */
  quit(): void {
    record('app.quit')
    if (this.#quitting) return
    const event = fakeEvent()
    this.fire('before-quit', event)
    if (event.defaultPrevented) return
    this.#quitting = true
    // Each page is asked first, which takes a turn (`BrowserWindow::OnCloseButtonClicked`); only at the end of a session does that matter here.
    if (this.#sessionEnds) setImmediate(() => this.#close())
    else this.#close()
  }
  #close(): void {
    const windows = this.windows()
    if (windows.length === 0) this.#willQuit()
    else for (const window of windows) window.close()
  }
  /**
   * Windows ends its session: `tell` every window, then the process is gone, unless a listener began to quit (`WM_ENDSESSION`,
   * shell/browser/native_window_views_win.cc).
   */
  endSession(tell: () => void): void {
    this.#sessionEnds = true
    tell()
    if (!this.#quitting) record('app.terminated')
  }
  #willQuit(): void {
    const event = fakeEvent()
    this.fire('will-quit', event)
    if (event.defaultPrevented) this.#quitting = false
    else {
      record('app.ended')
      this.fire('quit', fakeEvent(), 0)
    }
  }
  closeCancelled(): void {
    this.#quitting = false
  }
  windowClosed(): void {
    if (this.windows().length > 0) return
    if (this.#quitting) this.#willQuit()
    else this.fire('window-all-closed')
  }
  relaunch(): void {
    record('app.relaunch')
  }
  releaseSingleInstanceLock(): void {
    record('app.releaseSingleInstanceLock')
  }
  getName(): string {
    return this.name
  }
  /** `quit` is told with the code, `will-quit` is not (docs/api/app.md). */
  exit(exitCode?: number): void {
    record('app.exit', exitCode)
    this.fire('quit', fakeEvent(), exitCode ?? 0)
  }
  /** The session's display or bus is gone (`ExitOnSessionLoss`, shell/browser/electron_browser_main_parts.cc). */
  loseDisplay(): void {
    this.exit(0)
  }
  setAppUserModelId(id: string): void {
    record('app.setAppUserModelId', id)
  }
  setToastActivatorCLSID(id: string): void {
    record('app.setToastActivatorCLSID', id)
  }
  /** False where no dock shows it: a Mac without permission for notifications, Linux without a matching desktop file (docs/api/app.md). */
  setBadgeCount(count?: number): boolean {
    record('app.setBadgeCount', count)
    return false
  }
  setUserTasks(tasks: Task[]): boolean {
    record('app.setUserTasks', tasks)
    return true
  }
  setLoginItemSettings(settings: Settings): void {
    record('app.setLoginItemSettings', settings)
    // `enabled` is true by default, which also forgets what Task Manager says.
    this.loginItem = settings.openAtLogin ? { args: settings.args?.join(' '), isOff: false } : undefined
  }
  /** `openAtLogin` tells whether there is an item with these arguments; on a Mac it is false for one that is off (docs/api/app.md). */
  getLoginItemSettings({ args }: Electron.LoginItemSettingsOptions = {}): Electron.LoginItemSettings {
    const { loginItem } = this
    const isMac = args === undefined
    const status = loginItem === undefined ? 'not-registered' : loginItem.isOff ? 'requires-approval' : 'enabled'
    const openAtLogin = loginItem !== undefined && (isMac ? !loginItem.isOff : loginItem.args === args.join(' '))
    return { openAtLogin, status, executableWillLaunchAtLogin: openAtLogin, launchItems: [], wasOpenedAtLogin: this.openedAtLogin }
  }
  /** Only a Mac has it. */
  readonly dock = {
    setMenu: (menu: Menu): void => record('dock.setMenu', menu),
    hide: (): void => record('dock.hide'),
    show: async (): Promise<void> => record('dock.show'),
  } as Dock
  setActivationPolicy(policy: 'regular' | 'accessory' | 'prohibited'): void {
    record('app.setActivationPolicy', policy)
  }
  setPath(name: string, path: string): void {
    record('app.setPath', name, path)
    this.paths[name] = path
  }
  getPath(name: string): string {
    const path = this.paths[name]
    if (path === undefined) throw new Error(`The fake has no path ${name}.`)
    return path
  }
  getVersion(): string {
    return this.version
  }
  whenReady(): Promise<void> {
    record('app.whenReady')
    return this.ready.promise
  }
}

export const app = new FakeApp()
