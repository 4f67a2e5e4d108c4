// Quick entry: a small window over other apps in which the person asks, and the keys that open it from every app. Its page is ours, as
// locked down as the main window's; whatever leads to another page is shown in the main window.
import { BrowserWindow, globalShortcut, screen } from 'electron'
import type { Settings } from '#app/settings.ts'
import { acceleratorOf, chordsFor } from '#app/shortcuts.ts'
import type { Clock } from '#main/base/clock.ts'
import type { Log } from '#main/base/host-log.ts'
import { isPage, pageUrl } from '../navigation.ts'
import { offerContextMenu } from '../window/context-menu.ts'
import type { SettingsHost } from '../window/follow-settings.ts'
import { backgroundColor, pagePreferences, watchPage } from '../window/window.ts'

const route = '#/quick'
const width = 640
/** Height in pixels of the first paint, and the most that an answer takes. */
const heights = { first: 96, most: 560 } as const

/** Presses that a paste may follow, and for how long in milliseconds: a page alone cannot make them. */
const presses = new Set(['mouseUp', 'rawKeyDown', 'keyDown', 'gestureTap'])
const pressedForMs = 1000

interface QuickEntryOptions {
  readonly preload: string
  readonly os: NodeJS.Platform
  readonly clock: Clock
  readonly log: Log
  readonly spelling: () => boolean
  /** Shows a route in the main window. */
  readonly go: (hash: string) => void
  readonly isQuitting: () => boolean
}

export function createQuickEntry(options: QuickEntryOptions) {
  const { clock, go, isQuitting } = options
  let window: BrowserWindow | undefined
  let pressedAt = Number.NEGATIVE_INFINITY
  let height: number = heights.first
  const open = (): BrowserWindow => {
    const made = makeWindow(options)
    const { webContents } = made
    // Kept, so that it is there at once the next time.
    made.on('close', (event) => {
      if (isQuitting()) return
      event.preventDefault()
      made.hide()
    })
    made.on('closed', () => {
      window = undefined
    })
    webContents.on('input-event', (_event, { type }) => {
      if (presses.has(type)) pressedAt = clock.now()
    })
    webContents.on('preferred-size-changed', (_event, { height: wanted }) => {
      height = Math.max(heights.first, Math.min(heights.most, wanted))
      made.setSize(width, height)
    })
    webContents.on('did-navigate-in-page', (_event, url, isMainFrame) => {
      const { hash } = new URL(url)
      if (!isMainFrame || isQuickEntry(hash)) return
      made.hide()
      webContents.loadURL(`${pageUrl}${route}`).catch(() => undefined)
      if (isPage(url)) go(hash)
    })
    return made
  }
  return {
    hide: (): void => window?.hide(),
    paste(): void {
      if (window?.isVisible() && clock.now() - pressedAt <= pressedForMs) window.webContents.paste()
    },
    /** Shows it where the pointer is, or hides it. */
    toggle(): void {
      if (window?.isVisible()) {
        window.hide()
        return
      }
      window ??= open()
      place(window, height)
      window.show()
      window.focus()
    },
  }
}

const isQuickEntry = (hash: string): boolean => hash === route || hash.startsWith(`${route}/`)

function makeWindow({ preload, os, clock, log, spelling }: QuickEntryOptions): BrowserWindow {
  const window = new BrowserWindow({
    width,
    height: heights.first,
    show: false,
    frame: false,
    resizable: false,
    minimizable: false,
    maximizable: false,
    fullscreenable: false,
    skipTaskbar: true,
    alwaysOnTop: true,
    title: 'Assent',
    backgroundColor: backgroundColor(),
    // Takes the keys without bringing the app's other windows to the front.
    ...(os === 'darwin' && { type: 'panel' }),
    // The window is as high as its page (`preferred-size-changed`).
    webPreferences: { ...pagePreferences(preload, spelling()), enablePreferredSizeMode: true },
  })
  // Over a full screen too, which is a space of its own. Electron would take the app out of the Dock for that, for good, which a panel does not
  // need (`NativeWindowMac::SetVisibleOnAllWorkspaces`, shell/browser/native_window_mac.mm).
  if (os === 'darwin') window.setVisibleOnAllWorkspaces(true, { visibleOnFullScreen: true, skipTransformProcessType: true })
  window.on('page-title-updated', (event) => event.preventDefault())
  offerContextMenu(window)
  watchPage(window, { clock, log })
  window.loadURL(`${pageUrl}${route}`).catch(() => undefined) // `did-fail-load` says so
  return window
}

/** Puts the window on the upper part of the screen with the pointer. Under Wayland the desktop places it. */
function place(window: BrowserWindow, height: number): void {
  const { x, y, width: wide, height: high } = screen.getDisplayNearestPoint(screen.getCursorScreenPoint()).workArea
  // With its size: on Windows one that moves to a screen of another scale is given other sizes (electron/electron issue 10862).
  window.setBounds({ x: Math.round(x + (wide - width) / 2), y: Math.round(y + high * 0.2), width, height })
}

/** State of the keys: `asked`: the desktop of Wayland decides, and does not tell. */
export type KeysState = 'off' | 'on' | 'taken' | 'asked'

/** Whether the desktop binds keys in the app's place, as Wayland's portal does (docs/api/global-shortcut.md). */
const bindsKeys = (os: NodeJS.Platform, env: Readonly<Record<string, string | undefined>>): boolean =>
  os === 'linux' && (env['XDG_SESSION_TYPE'] === 'wayland' || Boolean(env['WAYLAND_DISPLAY']))

interface KeysOptions {
  readonly os: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  readonly log: Log
  readonly press: () => void
}

/** Keeps the keys of the settings registered while they are turned on. Returns what reads their state. */
export function followKeys(
  host: SettingsHost<'quickEntryKeys' | 'shortcuts'>,
  { os, env, log, press }: KeysOptions,
): { readonly state: () => KeysState } {
  let accelerator: string | undefined
  let state: KeysState = 'off'
  const update = ({ quickEntryKeys, shortcuts }: Pick<Settings, 'quickEntryKeys' | 'shortcuts'>): void => {
    const wanted = quickEntryKeys ? acceleratorOf(chordsFor(shortcuts, false).quickEntry).accelerator : undefined
    if (wanted === accelerator) return
    // Not `unregisterAll`: under Wayland that forgets what the desktop still sends, and Electron ends itself at the next press
    // (shell/browser/api/electron_api_global_shortcut.cc, `ExecuteCommand`).
    if (accelerator !== undefined) globalShortcut.unregister(accelerator)
    accelerator = wanted
    if (wanted === undefined) {
      state = 'off'
      return
    }
    // Under Wayland the keys of before still come, and the answer is always yes (electron/electron issue 52218).
    const registered = globalShortcut.register(wanted, () => {
      if (accelerator === wanted) press()
    })
    state = registered ? (bindsKeys(os, env) ? 'asked' : 'on') : 'taken'
    if (!registered) log.warn(`The keys ${wanted} of the quick entry are another app’s.`)
  }
  update(host.snapshot().settings)
  host.onEvent((event) => {
    if (event.name === 'settings.changed') update(event.payload.settings)
  })
  return { state: () => state }
}
