// The window: sandboxed, placed where it was, shown once it has something to show. A page that crashed, was not loaded, has no bridge to
// the host or does not respond is logged, and reloaded or asked about. The host has all state, so a page may end at any time.
import { readFileSync } from 'node:fs'
import { BrowserWindow, dialog, nativeTheme, screen } from 'electron'
import { t } from '#app/i18n/translate.ts'
import { orElse } from '#app/or-else.ts'
import { writeFileAtomically } from '#main/base/atomic-write.ts'
import type { Clock } from '#main/base/clock.ts'
import type { Log } from '#main/base/host-log.ts'
import { pageUrl } from '../navigation.ts'

import { offerContextMenu } from './context-menu.ts'
import { cascadeWindow, minimumSize, parseWindowState, placeWindow } from './window-state.ts'

/** A crash within this many milliseconds of the last one is not followed by another reload. */
const crashWindow = 60_000
/** Chromium's net::ERR_ABORTED: another load took its place, or the page stayed. */
const aborted = -3

interface Question {
  readonly message: string
  readonly detail: string
  readonly buttons: readonly [go: string, stay: string]
  readonly go: () => void
  readonly stay: () => void
}

function watchPage(window: BrowserWindow, { clock, log }: { readonly clock: Clock; readonly log: Log }): void {
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
    webPreferences: {
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
      spellcheck: spelling,
    },
  })
  if (saved?.maximized && others === 0) window.maximize()
  window.once('ready-to-show', () => {
    window.show()
    onShown()
  })
  window.on('close', () => keepState(window, stateFile, log))
  // The page's <title> is not the window's to follow: a chat's name is the model's words.
  window.on('page-title-updated', (event) => event.preventDefault())

  offerContextMenu(window)

  watchPage(window, { clock, log })
  window.loadURL(pageUrl).catch(() => undefined) // `did-fail-load` says so
  return window
}

function keepState(window: BrowserWindow, file: string, log: Log): void {
  try {
    writeFileAtomically(file, JSON.stringify({ ...window.getNormalBounds(), maximized: window.isMaximized() }))
  } catch (error) {
    log.warn(`The window’s place could not be kept: ${error instanceof Error ? error.message : error}`)
  }
}
