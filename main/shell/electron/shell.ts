// The Electron shell: one instance a profile, one host, windows that show it. What must be set before the app is ready
// is done in `prepare`; everything else waits for it.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { app, BrowserWindow, dialog, session, shell as systemShell } from 'electron'
import { channels, type ShellCommand } from '#app/contract/channels.ts'
import { t } from '#app/words/translate.ts'
import { systemClock } from '#main/base/clock.ts'
import type { FromOutside } from '#main/host/outside.ts'
import { createHost, type Host } from '#main/host.ts'
import { createBrowserOpener } from '#main/shell/node/browser.ts'
import { dataDirOf, surroundings } from '#main/shell/node/data-dir.ts'
import { createDiagramFrame } from '#main/shell/node/diagram-frame.ts'
import { createSpeaker } from '#main/shell/node/languages.ts'
import { createBuiltinLauncher } from './builtin.ts'
import { type HostProcess, type OutputStream, watchFailures } from './failures.ts'
import { connectPages } from './ipc.ts'
import { type LogFile, openLogFile } from './log-file.ts'
import { followMenu } from './menu.ts'
import { fromArguments, linkScheme, listenOutside, type OutsideListener } from './outside.ts'
import { createPlatform } from './platform.ts'
import { registerScheme, servePage } from './protocol.ts'
import { disposeBeforeQuit } from './quit.ts'
import { openSecrets } from './secrets.ts'
import { denyPermissions, guardEveryContents } from './security.ts'
import { followSpelling } from './spelling.ts'
import { dataDirOption } from './start-options.ts'
import { followSystemProxy } from './system-proxy.ts'
import { followTheme } from './theme.ts'
import { createUnloadGuard } from './unload.ts'
import { openWindow } from './window.ts'
import { followZoom } from './zoom.ts'

export interface ShellOptions {
  /** `dist`, which holds main, preload, renderer and the script of the diagrams' frame. */
  readonly dist: string
  readonly icon: string | undefined
  readonly os: NodeJS.Platform
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  /** Where the log's lines go beside its file. */
  readonly stderr: OutputStream
  readonly process: HostProcess
  /** The first window has something to show. */
  readonly onShown: () => void
}

/** The installer's: electron-builder.yml. Toasts and what is pinned to the taskbar go by it. */
const appId = 'io.github.assent-desktop.assent'
/** For good: the one that the shortcut carries, which Windows wakes when a toast is clicked. */
const toastActivator = '{7A6B7C52-3B0E-4C57-9F0A-2D1E5B8C64A3}'
/** Milliseconds that the first page waits to hear where secrets are kept. */
const keyringWait = 1500

/** Resolves once the first window is asked for, or at once when another instance has the profile. */
export async function runShell(options: ShellOptions): Promise<void> {
  const dataDir = dataDirOf(dataDirOption(options.args), { ...surroundings(), env: options.env })
  // Chromium's files apart from ours; the lock of the single instance goes by this folder, so it is one a profile.
  const browserDir = join(dataDir, 'browser')
  mkdirSync(browserDir, { recursive: true, mode: 0o700 })
  app.setPath('userData', browserDir)
  if (options.os === 'win32') {
    // Run from its sources it is another app: under the same id it would write the installed one's shortcut anew.
    app.setAppUserModelId(app.isPackaged ? appId : `${appId}.checkout`)
    app.setToastActivatorCLSID(toastActivator)
  }
  if (!app.requestSingleInstanceLock()) return app.quit()

  // What goes wrong before the profile is open is said in the system's language; then its settings count.
  const speak = createSpeaker(() => app.getPreferredSystemLanguages())
  speak()
  const outside = listenOutside()
  app.enableSandbox()
  registerScheme()
  guardEveryContents()
  options.stderr.on('error', () => undefined) // the terminal is closed; the log has its file
  const logPath = join(dataDir, 'logs', 'assent.log')
  const log = openLogFile(logPath, { echo: options.stderr })
  let dispose = async (): Promise<void> => undefined
  const leave = disposeBeforeQuit(() => dispose().finally(() => log.close()), { clock: systemClock, log })
  watchFailures({ process: options.process, log, logPath, leave })
  const opened = (host: Pick<Host, 'dispose'>): void => {
    dispose = () => host.dispose()
  }
  const ready = app.whenReady()
  return ready.then(() => open({ ...options, dataDir, log, outside, speak, opened }))
}

interface OpenOptions extends ShellOptions {
  readonly dataDir: string
  readonly log: LogFile
  readonly outside: OutsideListener
  readonly speak: ReturnType<typeof createSpeaker>
  /** The host is there, and has to be disposed of. */
  readonly opened: (host: Pick<Host, 'dispose'>) => void
}

function open({ dist, icon, os, env, dataDir, log, outside, speak, args, opened, onShown }: OpenOptions): void {
  const clock = systemClock
  denyPermissions(session.defaultSession)
  const guardUnload = createUnloadGuard(log)
  const open = (): BrowserWindow => {
    const window = openWindow({
      preload: join(dist, 'preload', 'preload.cjs'),
      stateFile: join(dataDir, 'window.json'),
      icon,
      os,
      clock,
      log,
      spelling: checksSpelling(),
      onPage: (contents) => zoom.apply(contents),
      onShown,
    })
    guardUnload(window)
    return window
  }
  /** The one that the person works in, else any, else a new one. */
  const show = (): BrowserWindow => {
    const window = BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0] ?? open()
    if (window.isMinimized()) window.restore()
    window.focus()
    return window
  }
  const run = (command: ShellCommand): void => {
    const { webContents } = show()
    const send = (): void => webContents.send(channels.command, command)
    // A window that was only just opened has nobody to hear it yet.
    if (webContents.isLoading()) webContents.once('did-finish-load', send)
    else send()
  }

  const browser = os === 'linux' ? createBrowserOpener({ folder: dataDir, clock, system: { start: openFile } }) : undefined
  const secrets = openSecrets({
    path: join(dataDir, 'secrets.json'),
    os,
    clock,
    log,
    memoryOnly: Boolean(env['ASSENT_NO_KEYRING']),
  })
  const platform = createPlatform({
    os,
    browser,
    secrets,
    launchBuiltin: createBuiltinLauncher({ folder: join(dist, 'main'), env, clock, kill: (pid) => process.kill(pid, 'SIGKILL') }),
    speak,
    log,
    openWindow: () => void open(),
    showConversation: (id) => (id === undefined ? void show() : run({ kind: 'open-conversation', id })),
  })
  followSystemProxy(session.defaultSession)
  const host = createHost({ dataDir, platform, version: app.getVersion(), clock, log, env })
  opened({ dispose: () => host.dispose().finally(() => browser?.dispose()) })
  const diagramFrame = createDiagramFrame(join(dist, 'diagram', 'frame.js'))
  servePage({ folder: join(dist, 'renderer'), diagramFrame, blob: (sha256) => host.blob(sha256), view: (id) => host.view(id) })
  const waited = new Promise<void>((resolve) => void clock.after(keyringWait, resolve))
  connectPages({
    host,
    log,
    contents: () => BrowserWindow.getAllWindows().map((window) => window.webContents),
    ready: Promise.race([secrets.opened, waited]),
  })
  followTheme(host.snapshot().settings.theme, host)
  const zoom = followZoom(host, log)
  const checksSpelling = followSpelling(host, session.defaultSession, os)
  followMenu(host, { os, run, openWindow: () => void open(), zoom: zoom.change, openDataFolder: () => void systemShell.openPath(dataDir) })
  const take = (thing: FromOutside | undefined): void => {
    if (thing) host.fromOutside(thing)
  }
  // Only the app that people install speaks for the scheme: one run from its sources would take it from that.
  if (app.isPackaged) app.setAsDefaultProtocolClient(linkScheme)
  app.on('activate', () => void show())
  app.on('window-all-closed', () => {
    if (os !== 'darwin') app.quit()
  })
  show()
  outside.deliver(take, () => void show())
  take(fromArguments(args))
}

async function openFile(fileUrl: string): Promise<boolean> {
  await systemShell.openExternal(fileUrl)
  return true
}

/** Says in a box why the app cannot start, and ends it. */
export function failToStart(error: unknown): void {
  dialog.showErrorBox(t`Assent could not start`, error instanceof Error ? error.message : String(error))
  app.exit(1)
}
