import type {
  BrowserWindowConstructorOptions,
  NativeImage,
  BrowserWindow as RealWindow,
  Rectangle,
  WebContents,
  WebFrameMain,
} from 'electron'
import { app } from './app.ts'
import { Emitter, fakeEvent } from './emitter.ts'
import { record } from './record.ts'
import { session } from './session.ts'

/** Preferences that every page of the app has to have: docs/tutorial/security.md, checklist 2 to 8 and 11. */
export const lockedPage = {
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  experimentalFeatures: false,
  webviewTag: false,
  navigateOnDragDrop: false,
  safeDialogs: true,
  spellcheck: false,
} as const

export class FakeFrame implements Pick<WebFrameMain, 'detached' | 'origin' | 'url'> {
  detached = false
  origin = 'app://assent'
  url = 'app://assent/'
  parent: FakeFrame | null = null
}

export class FakeContents
  extends Emitter
  implements
    Pick<
      WebContents,
      | 'on'
      | 'once'
      | 'send'
      | 'reload'
      | 'isDestroyed'
      | 'isLoading'
      | 'setWindowOpenHandler'
      | 'replaceMisspelling'
      | 'forcefullyCrashRenderer'
      | 'setWebRTCIPHandlingPolicy'
      | 'loadURL'
      | 'paste'
      | 'invalidate'
    >
{
  readonly mainFrame = new FakeFrame()
  readonly sent: { readonly channel: string; readonly args: readonly unknown[] }[] = []
  windowOpen: Parameters<WebContents['setWindowOpenHandler']>[0] | undefined
  destroyed: boolean = false
  loading = false
  reloads = 0

  /**
   * What cannot be cloned throws here, as it does in Electron ("An object could not be cloned"), and so does any call of contents that are gone
   * (docs/api/web-contents.md, `destroyed`; gin's wrapper has no object behind it).
   */
  send(channel: string, ...args: unknown[]): void {
    if (this.destroyed) throw new TypeError('Object has been destroyed')
    this.sent.push({ channel, args: structuredClone(args) })
  }
  webRtc: string | undefined
  setWebRTCIPHandlingPolicy(policy: Parameters<WebContents['setWebRTCIPHandlingPolicy']>[0]): void {
    this.webRtc = policy
  }
  readonly session = session.defaultSession
  replaceMisspelling(text: string): void {
    record('contents.replaceMisspelling', text)
  }
  /** Text that its page holds on to: the page prevents its `beforeunload`. */
  unsaved: boolean = false
  /**
   * False: it stays. Electron shows no box, it only asks its listeners, and they answer before they return
   * (`ElectronJavaScriptDialogManager::RunBeforeUnloadDialog`).
   */
  beforeUnload(): boolean {
    if (!this.unsaved) return true
    const event = fakeEvent()
    this.fire('will-prevent-unload', event)
    return event.defaultPrevented
  }
  /** What stays is told as a load that was aborted. */
  reload(): void {
    if (this.beforeUnload()) this.reloads += 1
    else this.fire('did-fail-load', fakeEvent(), -3, 'ERR_ABORTED', 'app://assent/', true, 1, 1)
  }
  /** The process is killed, and told as gone (docs/api/web-contents.md, `forcefullyCrashRenderer` and `render-process-gone`). */
  forcefullyCrashRenderer(): void {
    record('contents.forcefullyCrashRenderer')
    this.unsaved = false
    this.fire('render-process-gone', fakeEvent(), { reason: 'killed', exitCode: 9 })
  }
  paste(): void {
    record('contents.paste')
  }
  invalidate(): void {
    if (this.destroyed) throw new TypeError('Object has been destroyed')
    record('contents.invalidate')
  }
  async loadURL(url: string): Promise<void> {
    record('contents.loadURL', url)
  }
  /** The app hears of it too (lib/browser/api/web-contents.ts). */
  override fire(name: string, ...args: unknown[]): boolean {
    if (name === 'render-process-gone') app.fire(name, args[0], this, args[1])
    return super.fire(name, ...args)
  }
  isDestroyed(): boolean {
    return this.destroyed
  }
  isLoading(): boolean {
    return this.loading
  }
  setWindowOpenHandler(handler: Parameters<WebContents['setWindowOpenHandler']>[0]): void {
    this.windowOpen = handler
  }
  /** For code that takes Electron's own type: the fake has the part of it that the shell uses. */
  asReal(): WebContents {
    return this as unknown as WebContents
  }
}

export class BrowserWindow
  extends Emitter
  implements
    Pick<
      RealWindow,
      | 'on'
      | 'once'
      | 'loadURL'
      | 'show'
      | 'focus'
      | 'isMinimized'
      | 'restore'
      | 'maximize'
      | 'isMaximized'
      | 'getNormalBounds'
      | 'isDestroyed'
      | 'close'
      | 'destroy'
      | 'setBackgroundColor'
      | 'hide'
      | 'isVisible'
      | 'isFocused'
      | 'setSize'
      | 'setBounds'
      | 'setOverlayIcon'
      | 'setVisibleOnAllWorkspaces'
    >
{
  static open: BrowserWindow[] = []
  static focused: BrowserWindow | null = null
  static getAllWindows(): BrowserWindow[] {
    return [...BrowserWindow.open]
  }
  /** The session of Windows ends (docs/api/base-window.md, Event `session-end`). */
  static endSession(): void {
    app.endSession(() => {
      for (const window of BrowserWindow.getAllWindows()) window.fire('session-end', fakeEvent())
    })
  }
  static getFocusedWindow(): BrowserWindow | null {
    return BrowserWindow.focused
  }

  readonly webContents = new FakeContents()
  readonly options: BrowserWindowConstructorOptions
  bounds: Rectangle
  minimized = false
  maximized = false
  shown = false
  focusCount = 0
  destroyed: boolean = false
  background: string | undefined

  constructor(options: BrowserWindowConstructorOptions = {}) {
    super()
    record('window.new', options)
    this.options = options
    this.bounds = { x: options.x ?? 0, y: options.y ?? 0, width: options.width ?? 800, height: options.height ?? 600 }
    this.background = options.backgroundColor
    BrowserWindow.open.push(this)
    app.fire('web-contents-created', fakeEvent(), this.webContents)
    app.fire('browser-window-created', fakeEvent(), this)
  }
  async loadURL(url: string): Promise<void> {
    record('window.loadURL', url)
  }
  show(): void {
    this.shown = true
    this.fire('show')
  }
  hide(): void {
    this.shown = false
  }
  isVisible(): boolean {
    return this.shown
  }
  isFocused(): boolean {
    return BrowserWindow.focused === this
  }
  setSize(width: number, height: number): void {
    this.bounds = { ...this.bounds, width, height }
  }
  setBounds(bounds: Partial<Rectangle>): void {
    this.bounds = { ...this.bounds, ...bounds }
  }
  setOverlayIcon(overlay: NativeImage | null, description: string): void {
    if (this.destroyed) throw new TypeError('Object has been destroyed')
    record('window.setOverlayIcon', overlay, description)
  }
  /** On a Mac it takes the app out of the Dock, or puts it there (`SetVisibleOnAllWorkspaces`, shell/browser/native_window_mac.mm). */
  setVisibleOnAllWorkspaces(visible: boolean, options: Electron.VisibleOnAllWorkspacesOptions = {}): void {
    record('window.setVisibleOnAllWorkspaces', visible, options.visibleOnFullScreen)
    if (!options.skipTransformProcessType) record(options.visibleOnFullScreen ? 'dock.hide' : 'dock.show')
  }
  focus(): void {
    this.focusCount += 1
  }
  isMinimized(): boolean {
    return this.minimized
  }
  restore(): void {
    this.minimized = false
  }
  maximize(): void {
    this.maximized = true
  }
  isMaximized(): boolean {
    return this.maximized
  }
  getNormalBounds(): Rectangle {
    return this.bounds
  }
  isDestroyed(): boolean {
    return this.destroyed
  }
  /** `close` comes first, then the page is asked. */
  close(): void {
    const event = fakeEvent()
    this.fire('close', event)
    if (event.defaultPrevented || !this.webContents.beforeUnload()) app.closeCancelled()
    else this.destroy()
  }
  destroy(): void {
    if (this.destroyed) return
    this.destroyed = true
    this.webContents.destroyed = true
    BrowserWindow.open = BrowserWindow.open.filter((window) => window !== this)
    this.fire('closed')
    app.windowClosed()
  }
  setBackgroundColor(color: string): void {
    this.background = color
  }
}

app.windows = () => BrowserWindow.getAllWindows()
