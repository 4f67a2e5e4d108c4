// The window: sandboxed, placed where it was, shown once it has something to show, brought back once if its page crashes.
import { readFileSync } from 'node:fs'
import { BrowserWindow, dialog, nativeTheme, screen, type WebContents } from 'electron'
import { t } from '#app/words/translate.ts'
import type { Clock } from '#main/base/clock.ts'
import type { Log } from '#main/base/log.ts'
import { pageUrl } from './address.ts'
import { offerContextMenu } from './context-menu.ts'
import { writeFileWhole } from './files.ts'
import { minimumSize, moved, parseWindowState, placeWindow } from './window-state.ts'

export interface WindowOptions {
  readonly preload: string
  readonly stateFile: string
  readonly icon: string | undefined
  readonly os: NodeJS.Platform
  readonly clock: Clock
  readonly log: Log
  /** What is typed in it is checked. */
  readonly spelling: boolean
  /** Its page has been loaded, at first or again. */
  readonly onPage: (contents: WebContents) => void
}

/** A crash within this many milliseconds of the last one is not answered by yet another reload. */
const crashWindow = 60_000

/** As the page's own, so that nothing flashes before its first paint. */
export const backgroundColor = (): string => (nativeTheme.shouldUseDarkColors ? '#131518' : '#fdfdfc')

/** On a Mac the page reaches up to the window's edge: its bars move the window and leave room for the three buttons. */
const macStyle = `
  .side, .bar { -webkit-app-region: drag }
  :is(.side, .bar) :is(a, button, input, select, [role]) { -webkit-app-region: no-drag }
  .side { padding-top: 36px }`

export function openWindow({ preload, stateFile, icon, os, clock, log, spelling, onPage }: WindowOptions): BrowserWindow {
  const saved = readState(stateFile)
  const workAreas = screen.getAllDisplays().map((display) => display.workArea)
  const others = BrowserWindow.getAllWindows().length
  const window = new BrowserWindow({
    ...placeWindow(saved && moved(saved, others), workAreas),
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
  window.once('ready-to-show', () => window.show())
  window.on('close', () => keepState(window, stateFile, log))
  // The page's <title> is not the window's to follow: a chat's name is the model's words.
  window.on('page-title-updated', (event) => event.preventDefault())

  offerContextMenu(window)
  window.webContents.on('did-finish-load', () => onPage(window.webContents))

  let lastCrash = Number.NEGATIVE_INFINITY
  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return
    log.error(`The page ended: ${reason} (${exitCode})`)
    const again = clock.now() - lastCrash < crashWindow
    lastCrash = clock.now()
    if (again) askAfterCrash(window, log)
    else window.webContents.reload()
  })
  if (os === 'darwin')
    window.webContents.on('dom-ready', () => {
      window.webContents.insertCSS(macStyle).catch((error: unknown) => log.error('The title bar could not be laid out', error))
    })
  window.loadURL(pageUrl).catch((error: unknown) => log.error('The page could not be loaded', error))
  return window
}

function askAfterCrash(window: BrowserWindow, log: Log): void {
  dialog
    .showMessageBox(window, {
      type: 'error',
      message: t`The page ended twice within a minute.`,
      detail: t`Your chats and open requests are kept. Load the page again, or close this window.`,
      buttons: [t`Load again`, t`Close window`],
      defaultId: 0,
      cancelId: 1,
    })
    .then(({ response }) => {
      if (window.isDestroyed()) return
      if (response === 0) window.webContents.reload()
      else window.destroy()
    })
    .catch((error: unknown) => log.error('The question after a crash could not be asked', error))
}

function readState(file: string): ReturnType<typeof parseWindowState> {
  try {
    return parseWindowState(readFileSync(file, 'utf8'))
  } catch {
    return undefined // the first start
  }
}

function keepState(window: BrowserWindow, file: string, log: Log): void {
  try {
    writeFileWhole(file, JSON.stringify({ ...window.getNormalBounds(), maximized: window.isMaximized() }))
  } catch (error) {
    log.warn(`The window’s place could not be kept: ${error instanceof Error ? error.message : error}`)
  }
}
