import type { BrowserWindowConstructorOptions, BrowserWindow as RealWindow, Rectangle, WebContents, WebFrameMain } from 'electron'
import { app } from './app.ts'
import { Emitter, fakeEvent } from './emitter.ts'
import { record } from './record.ts'
import { session } from './session.ts'

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
      | 'insertCSS'
      | 'setWindowOpenHandler'
      | 'setZoomFactor'
      | 'replaceMisspelling'
    >
{
  readonly mainFrame = new FakeFrame()
  readonly sent: { readonly channel: string; readonly args: readonly unknown[] }[] = []
  windowOpen: Parameters<WebContents['setWindowOpenHandler']>[0] | undefined
  destroyed = false
  loading = false
  reloads = 0

  send(channel: string, ...args: unknown[]): void {
    this.sent.push({ channel, args })
  }
  zoom = 1
  setZoomFactor(factor: number): void {
    this.zoom = factor
  }
  readonly session = session.defaultSession
  replaceMisspelling(text: string): void {
    record('contents.replaceMisspelling', text)
  }
  reload(): void {
    this.reloads += 1
  }
  isDestroyed(): boolean {
    return this.destroyed
  }
  isLoading(): boolean {
    return this.loading
  }
  async insertCSS(css: string): Promise<string> {
    record('contents.insertCSS', css)
    return 'key'
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
      | 'destroy'
      | 'setBackgroundColor'
    >
{
  static open: BrowserWindow[] = []
  static focused: BrowserWindow | null = null
  static getAllWindows(): BrowserWindow[] {
    return [...BrowserWindow.open]
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
  destroyed = false
  background: string | undefined

  constructor(options: BrowserWindowConstructorOptions = {}) {
    super()
    record('window.new', options)
    this.options = options
    this.bounds = { x: options.x ?? 0, y: options.y ?? 0, width: options.width ?? 800, height: options.height ?? 600 }
    this.background = options.backgroundColor
    BrowserWindow.open.push(this)
    app.fire('web-contents-created', fakeEvent(), this.webContents)
  }
  async loadURL(url: string): Promise<void> {
    record('window.loadURL', url)
  }
  show(): void {
    this.shown = true
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
  destroy(): void {
    this.destroyed = true
    BrowserWindow.open = BrowserWindow.open.filter((window) => window !== this)
  }
  setBackgroundColor(color: string): void {
    this.background = color
  }
}
