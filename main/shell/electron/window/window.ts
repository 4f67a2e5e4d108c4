// The window: sandboxed, placed where it was, shown once it has something to show. A page that crashed, was not loaded, has no bridge to
// the host or does not respond is logged, and reloaded or asked about. The host has all state, so a page may end at any time.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { app, BrowserWindow, dialog, nativeTheme, powerMonitor, screen } from 'electron'
import { z } from 'zod'
import { channels, type ShellCommand } from '#app/contract/channels.ts'
import { t } from '#app/i18n/translate.ts'
import { orElse, parseJson } from '#app/or-else.ts'
import { writeFileAtomically } from '#main/base/atomic-write.ts'
import type { Clock } from '#main/base/clock.ts'
import type { Log } from '#main/base/host-log.ts'
import { pageUrl } from '../navigation.ts'
import { createUnloadGuard, type Leave } from '../quit.ts'
import { offerContextMenu } from './context-menu.ts'

/** A crash within this many milliseconds of the last one is not followed by another reload. */
const crashWindow = 60_000
/** Chromium's net::ERR_ABORTED: another load took its place, or the page stayed. */
const aborted = -3
/** Milliseconds after which a window is shown that has not said that it is painted: once its page is loaded, and in any case. */
const unpainted = { loaded: 400, most: 8000 } as const

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
    // The window may still be hidden.
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
        detail: t`Your chats and open requests are kept.`,
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
    ask({ message: t`The page could not be loaded.`, detail: String(error), ...reloadOrClose() })
  })
  webContents.on('unresponsive', () => {
    log.warn('The page does not answer.')
    ask({
      message: t`The page does not answer.`,
      detail: t`Unsaved text is lost if you load it again.`,
      buttons: [t`Load again`, t`Wait`],
      // A crashed page is loaded again.
      go: () => webContents.forcefullyCrashRenderer(),
      stay: () => undefined,
    })
  })
  webContents.on('responsive', () => log.info('The page answers again.'))
}

interface WindowOptions {
  readonly preload: string
  readonly stateFile: string
  readonly icon: string | undefined
  readonly os: NodeJS.Platform
  readonly clock: Clock
  readonly log: Log
  readonly spelling: boolean
  readonly onShown: () => void
}

/** Background of the page, so that nothing flashes before its first paint. */
export const backgroundColor = (): string => (nativeTheme.shouldUseDarkColors ? '#131518' : '#fdfdfc')

/** Preferences of every window: sandboxed and isolated, without Node, webviews or a way around web security. */
export const pagePreferences = (preload: string, spellcheck: boolean) =>
  ({
    preload,
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
    spellcheck,
  }) as const

export function openAppWindow({ preload, stateFile, icon, os, clock, log, spelling, onShown }: WindowOptions): BrowserWindow {
  // At the first start there is no file.
  const saved = orElse(() => parseWindowState(readFileSync(stateFile, 'utf8')), undefined)
  const workAreas = screen.getAllDisplays().map((display) => display.workArea)
  const others = BrowserWindow.getAllWindows().length
  const window = new BrowserWindow({
    ...placeWindow(saved && cascadeWindow(saved, others), workAreas),
    minWidth: minimumSize.width,
    minHeight: minimumSize.height,
    show: false,
    title: 'Assent',
    backgroundColor: backgroundColor(),
    ...(icon === undefined ? {} : { icon }),
    ...(os === 'darwin' ? { titleBarStyle: 'hiddenInset' } : { autoHideMenuBar: true }),
    webPreferences: pagePreferences(preload, spelling),
  })
  if (saved?.maximized && others === 0) window.maximize()
  showWhenPainted(window, clock, onShown)
  window.on('close', () => keepState(window, stateFile, log))
  // The page's <title> is not the window's to follow: a chat's name is the model's words.
  window.on('page-title-updated', (event) => event.preventDefault())

  offerContextMenu(window)

  watchPage(window, { clock, log })
  window.loadURL(pageUrl).catch(() => undefined) // `did-fail-load` says so
  return window
}

interface WindowsOptions extends Omit<WindowOptions, 'stateFile' | 'spelling'> {
  readonly dataDir: string
  readonly leave: Leave
  readonly spelling: () => boolean
  readonly onLastClosed: () => void
}

/** Windows with the whole app in them; the quick entry is none of them. */
export function createWindows({ dataDir, leave, spelling, onLastClosed, ...options }: WindowsOptions) {
  const windows = new Set<BrowserWindow>()
  const guardUnload = createUnloadGuard(options.log)
  const stateFile = join(dataDir, 'window.json')
  // A page may come back from sleep without its picture, alive and told of nothing (electron/electron issue 37361).
  const paintAnew = (): void => {
    for (const window of BrowserWindow.getAllWindows()) window.webContents.invalidate()
  }
  powerMonitor.on('resume', paintAnew)
  powerMonitor.on('unlock-screen', paintAnew)
  const open = (): BrowserWindow => {
    const window = openAppWindow({ ...options, stateFile, spelling: spelling() })
    windows.add(window)
    guardUnload(window)
    // Windows tells the end of its session by this alone, and Electron is gone when all have heard of it, unless a quit has begun
    // (`WM_ENDSESSION`, shell/browser/native_window_views_win.cc). Then servers have the time that Windows leaves.
    window.on('session-end', () => {
      leave(0)
      app.quit()
    })
    window.on('closed', () => {
      windows.delete(window)
      if (windows.size === 0) onLastClosed()
    })
    return window
  }
  const show = (): BrowserWindow => {
    const ours = [...windows]
    const there = ours.find((one) => one.isFocused()) ?? ours[0]
    if (there?.isMinimized()) there.restore()
    // A hidden window is not shown by focus alone (nimbalyst/nimbalyst issue 1189).
    there?.show()
    const window = there ?? open()
    window.focus()
    return window
  }
  const run = (command: ShellCommand): void => {
    const { webContents } = show()
    const send = (): void => webContents.send(channels.command, command)
    // The page of a new window does not listen yet.
    if (webContents.isLoading()) webContents.once('did-finish-load', send)
    else send()
  }
  return { open, show, run }
}

/**
 * Shows the window once, painted if that is told: under Wayland, and where no graphics process runs, a hidden window may never be
 * (electron/electron issues 48859 and 52324).
 */
function showWhenPainted(window: BrowserWindow, clock: Clock, onShown: () => void): void {
  let isOver = false
  const show = (): void => {
    if (isOver || window.isDestroyed()) return
    isOver = true
    window.show()
    onShown()
  }
  window.once('ready-to-show', show)
  window.webContents.once('did-finish-load', () => void clock.after(unpainted.loaded, show))
  clock.after(unpainted.most, show)
}

function keepState(window: BrowserWindow, file: string, log: Log): void {
  try {
    writeFileAtomically(file, JSON.stringify({ ...window.getNormalBounds(), maximized: window.isMaximized() }))
  } catch (error) {
    log.warn(`The window’s place could not be kept: ${error instanceof Error ? error.message : error}`)
  }
}

const size = z.number().int().min(1).max(20_000)
const place = z.number().int().min(-100_000).max(100_000)
const windowState = z.object({ x: place, y: place, width: size, height: size, maximized: z.boolean() })
export type WindowState = z.infer<typeof windowState>
type Area = Readonly<Omit<WindowState, 'maximized'>>

const minimumSize = { width: 420, height: 480 } as const
const usualSize = { width: 1280, height: 800 } as const
const step = 28
/** Part of the title bar that has to be on a screen, so that the window can be moved. */
const visible = { width: 120, height: 40 } as const

export const parseWindowState = (text: string): WindowState | undefined => windowState.safeParse(parseJson(text)).data

/** Moves a new window beside the open ones, so that none hides another. */
const cascadeWindow = (state: WindowState, others: number): WindowState => ({
  ...state,
  x: state.x + (others % 8) * step,
  y: state.y + (others % 8) * step,
})

/** Returns the last position if enough of the title bar is on a screen, else none, which centres the window. */
export function placeWindow(saved: WindowState | undefined, workAreas: readonly Area[]): Partial<Area> & Pick<Area, 'width' | 'height'> {
  const home = saved && workAreas.find((area) => showsTitleBar(saved, area))
  const limit = home ?? workAreas[0]
  const width = Math.max(minimumSize.width, Math.min(saved?.width ?? usualSize.width, limit?.width ?? usualSize.width))
  const height = Math.max(minimumSize.height, Math.min(saved?.height ?? usualSize.height, limit?.height ?? usualSize.height))
  return home ? { x: saved.x, y: saved.y, width, height } : { width, height }
}

function showsTitleBar(state: WindowState, area: Area): boolean {
  const across = Math.min(state.x + state.width, area.x + area.width) - Math.max(state.x, area.x)
  return across >= visible.width && state.y >= area.y && state.y + visible.height <= area.y + area.height
}
