// Quitting: all processes of servers are ended and the store is closed before the app exits, which it does after five seconds at the latest.

import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { app, autoUpdater, BrowserWindow, crashReporter, dialog } from 'electron'
import { z } from 'zod'
import { type Failure, failure } from '#app/contract/snapshot.ts'
import { t } from '#app/i18n/translate.ts'
import { orElse, parseJson } from '#app/or-else.ts'
import { writeFileAtomically } from '#main/base/atomic-write.ts'
import type { Clock } from '#main/base/clock.ts'
import type { Log } from '#main/base/host-log.ts'

const longest = 5000

export interface Leave {
  (code: number, last?: () => void): void
  /** Step of a plain quit, after all was disposed of. */
  atQuit?: () => void
}

/** `dispose` is called once. */
export function disposeBeforeQuit(dispose: () => Promise<void>, { clock, log }: { readonly clock: Clock; readonly log: Log }): Leave {
  let leaving = false
  const leave: Leave = (code, last) => {
    if (leaving) return
    leaving = true
    const late = Promise.withResolvers<void>()
    const cancel = clock.after(longest, () => {
      log.error('Not everything could be ended in five seconds.')
      late.resolve()
    })
    const done = dispose().catch((error: unknown) => log.error('Closing failed', error))
    void Promise.race([done, late.promise]).then(() => {
      cancel()
      last?.()
      app.exit(code)
    })
  }
  app.on('will-quit', (event) => {
    event.preventDefault()
    leave(0, leave.atQuit)
  })
  return leave
}

/** Whether the app is quitting. A page that holds on to its text takes the quit back. To be called before there is a window. */
export function watchQuit(): () => boolean {
  let quitting = false
  const onQuit = (): void => {
    quitting = true
  }
  app.on('before-quit', onQuit)
  // Squirrel.Mac closes all windows before it quits (docs/api/auto-updater.md).
  autoUpdater.on('before-quit-for-update', onQuit)
  app.on('web-contents-created', (_event, contents) => {
    contents.on('will-prevent-unload', () => {
      quitting = false
    })
  })
  return () => quitting
}

// Uncaught errors of the host's process. Electron would show a stack trace and run on; here the error is logged, every server is ended, the
// person is told, and the app quits.
export interface HostProcess {
  on(event: 'uncaughtException' | 'unhandledRejection', listener: (error: unknown) => void): unknown
}
export interface OutputStream {
  write(text: string): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
}

interface FailureOptions {
  readonly process: HostProcess
  readonly log: Log
  readonly logPath: string
  readonly leave: Leave
}

export function watchFailures({ process, log, logPath, leave }: FailureOptions): void {
  process.on('uncaughtException', (error) => {
    log.error(`Something failed that nobody caught: ${stackOf(error)}`)
    leave(1, () => dialog.showErrorBox(t`Assent has to close`, `${t`Your chats and open requests are kept.`}\n${logPath}`))
  })
  process.on('unhandledRejection', (error) => log.error(`Something failed that nobody waited for: ${stackOf(error)}`))
  app.on('child-process-gone', (_event, { type, reason, exitCode, serviceName, name }) => {
    if (reason !== 'clean-exit') log.error(`The process ${name ?? serviceName ?? type} (${type}) ended: ${reason} (${exitCode})`)
  })
}

const stackOf = (error: unknown): string =>
  (error instanceof Error ? (error.stack ?? error.message) : String(error)).replace(/\s*\n\s*/g, ' < ')

/**
 * Asks before a page with unsaved text is closed, reloaded, or left by a quit: Electron shows no question itself. The page stays at first,
 * and after a yes the same step is repeated; a blocking dialog would stop the host meanwhile. Call once, before there is a window.
 * Returns a function that guards one window.
 */
export function createUnloadGuard(log: Log): (window: BrowserWindow) => void {
  let quitting = false
  app.on('before-quit', () => {
    quitting = true
  })
  return (window) => {
    const { webContents } = window
    let closing = false
    let asked = false
    let leaving = false
    let again = (): void => undefined
    window.on('close', () => {
      closing = true
    })
    webContents.on('did-finish-load', () => {
      leaving = false
    })
    webContents.on('will-prevent-unload', (event) => {
      again = quitting ? () => app.quit() : closing ? () => window.close() : () => webContents.reload()
      closing = false
      if (leaving) {
        leaving = false
        event.preventDefault()
        return
      }
      if (asked) return
      asked = true
      void askToLeave(window, log).then((leave: boolean) => {
        asked = false
        if (!leave) quitting = false
        if (!leave || window.isDestroyed()) return
        leaving = true
        again()
      })
    })
  }
}

/** Asks the person; the default answer, which Escape gives too, loses nothing. */
async function askToLeave(window: BrowserWindow, log: Log): Promise<boolean> {
  if (window.isMinimized()) window.restore()
  window.focus()
  try {
    const { response } = await dialog.showMessageBox(window, {
      type: 'question',
      message: t`Leave without saving?`,
      detail: t`There are changes that are not saved.`,
      buttons: [t`Stay here`, t`Leave without saving`],
      defaultId: 0,
      cancelId: 0,
    })
    return response === 1
  } catch (error) {
    log.error('The question about unsaved text could not be asked', error)
    return false
  }
}

// Crashes and hangs: a list in the profile and Chromium's own reports, which nobody is sent. After two runs that did not end in order the
// next one offers a safe start.
const mostKept = 50

export interface FailureLogOptions {
  readonly dataDir: string
  readonly version: string
  readonly now: () => number
  readonly log: Log
  readonly process: HostProcess
}

/** Begins to write reports and to list failures; to be called before the app is ready, so that every process is watched. */
export function openFailureLog({ dataDir, version, now, log, process }: FailureLogOptions) {
  const folder = join(dataDir, 'crashes')
  const file = join(folder, 'failures.json')
  // A report has memory of its process, so keys may be in it.
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  app.setPath('crashDumps', folder)
  crashReporter.start({ uploadToServer: false })
  const list = (): Failure[] => z.array(failure).safeParse(parseJson(orElse(() => readFileSync(file, 'utf8'), ''))).data ?? []
  const add = (kind: Failure['kind'], detail: string): void => {
    try {
      const next: Failure = { kind, detail: detail.slice(0, 2000), version, at: now() }
      writeFileAtomically(file, JSON.stringify([...list(), next].slice(-mostKept)))
    } catch (error) {
      log.warn(`A failure could not be listed: ${error instanceof Error ? error.message : error}`)
    }
  }
  process.on('uncaughtException', (error) => add('host', error instanceof Error ? (error.stack ?? error.message) : String(error)))
  app.on('render-process-gone', (_event, _contents, { reason, exitCode }) => {
    if (reason !== 'clean-exit') add('page', `page: ${reason} (${exitCode})`)
  })
  app.on('child-process-gone', (_event, { type, reason, exitCode, name, serviceName }) => {
    if (reason !== 'clean-exit' && reason !== 'killed') add('process', `${name ?? serviceName ?? type}: ${reason} (${exitCode})`)
  })
  app.on('web-contents-created', (_event, contents) => {
    contents.on('unresponsive', () => add('hang', ''))
  })
  return {
    folder,
    add,
    list,
  }
}

/** Runs without an end in order after which a safe start is offered. */
const mostCrashes = 2
const marker = z.object({ crashes: z.number().int().min(0) })

/**
 * Counts runs that did not end in order, by a file that is there while the app runs. Returns their number before this run, and lists the one before. A quit, and the
 * end of the session, removes the file; what ends by an error does not emit `will-quit` (docs/api/app.md, `app.exit`).
 */
export function countCrashes(
  dataDir: string,
  failures: Pick<ReturnType<typeof openFailureLog>, 'list' | 'add'>,
  log: Log,
  os: NodeJS.Platform,
) {
  const file = join(dataDir, 'running.json')
  const text = orElse(() => readFileSync(file, 'utf8'), undefined)
  const began = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
  const before = text === undefined ? 0 : (marker.safeParse(parseJson(text)).data?.crashes ?? 0) + 1
  const begin = (): void => {
    try {
      writeFileAtomically(file, JSON.stringify({ crashes: before }))
    } catch (error) {
      log.warn(`The start could not be noted: ${error instanceof Error ? error.message : error}`)
    }
  }
  begin()
  // What the run before could not list itself, since the whole process went.
  if (before > 0 && !failures.list().some(({ kind, at }) => kind === 'host' && at >= began)) failures.add('host', '')
  const endedInOrder = (): void => rmSync(file, { force: true })
  app.on('will-quit', endedInOrder)
  // Told alone where the display or the session's bus goes away (`ExitOnSessionLoss`, shell/browser/electron_browser_main_parts.cc).
  app.on('quit', (_event, code) => {
    if (code === 0) endedInOrder()
  })
  /** Forgets a run without a window: Windows tells windows alone that its session ends (shell/browser/native_window_views_win.cc). */
  const settle = (): void => {
    if (os === 'win32' && BrowserWindow.getAllWindows().length === 0) endedInOrder()
  }
  app.on('window-all-closed', settle)
  app.on('browser-window-created', (_event, window) => {
    begin()
    window.on('session-end', endedInOrder)
  })
  return { before, settle }
}

/** Whether a start may become a safe one. One who runs it from its sources ends it as they please. */
const mayStartSafely = (isAsked: boolean, crashes: number): boolean => isAsked || (crashes >= mostCrashes && app.isPackaged)

/**
 * Draws without the graphics card in a start that may become a safe one: a driver that ends its process too often ends the app (Chromium's
 * “GPU process isn't usable. Goodbye.”). To be called before the app is ready.
 */
export function spareGraphics(isAsked: boolean, crashes: number): void {
  if (mayStartSafely(isAsked, crashes)) app.disableHardwareAcceleration()
}

/** Whether to start safely: asked for, or offered after crashes and taken. */
export async function startsSafely(isAsked: boolean, crashes: number): Promise<boolean> {
  if (isAsked || !mayStartSafely(isAsked, crashes)) return isAsked
  const { response } = await dialog.showMessageBox({
    type: 'warning',
    message: t`Assent ended unexpectedly.`,
    detail: t`Safe start: no servers, no apps, default settings, until Assent is quit.`,
    buttons: [t`Safe start`, t`Start anyway`],
    defaultId: 0,
    cancelId: 1,
  })
  return response === 0
}
