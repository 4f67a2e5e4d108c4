// The window: sandboxed, placed where it was, shown once it has something to show.
import { readFileSync } from 'node:fs'
import { BrowserWindow, nativeTheme, screen, type WebContents } from 'electron'
import type { Clock } from '#main/base/clock.ts'
import type { Log } from '#main/base/log.ts'
import { pageUrl } from './address.ts'
import { offerContextMenu } from './context-menu.ts'
import { writeFileWhole } from './files.ts'
import { watchPage } from './page-failures.ts'
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
  /** It has something to show. */
  readonly onShown: () => void
}

/** As the page's own, so that nothing flashes before its first paint. */
export const backgroundColor = (): string => (nativeTheme.shouldUseDarkColors ? '#131518' : '#fdfdfc')

/** On a Mac the page reaches up to the window's edge: its bars move the window and leave room for the three buttons. */
const macStyle = `
  .side, .bar { -webkit-app-region: drag }
  :is(.side, .bar) :is(a, button, input, select, [role]) { -webkit-app-region: no-drag }
  .side { padding-top: 36px }`

export function openWindow({ preload, stateFile, icon, os, clock, log, spelling, onPage, onShown }: WindowOptions): BrowserWindow {
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
  window.once('ready-to-show', () => {
    window.show()
    onShown()
  })
  window.on('close', () => keepState(window, stateFile, log))
  // The page's <title> is not the window's to follow: a chat's name is the model's words.
  window.on('page-title-updated', (event) => event.preventDefault())

  offerContextMenu(window)
  window.webContents.on('did-finish-load', () => onPage(window.webContents))

  watchPage(window, { clock, log })
  if (os === 'darwin')
    window.webContents.on('dom-ready', () => {
      window.webContents.insertCSS(macStyle).catch((error: unknown) => log.error('The title bar could not be laid out', error))
    })
  window.loadURL(pageUrl).catch(() => undefined) // `did-fail-load` says so
  return window
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
