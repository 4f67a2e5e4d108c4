// Quitting: all processes of servers are ended and the store is closed before the app exits, which it does after five seconds at the latest.
import { app, dialog } from 'electron'
import { t } from '#app/i18n/translate.ts'
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
    leave(1, () => dialog.showErrorBox(t`Assent has to close`, t`Your chats are kept. Details are in ${logPath}.`))
  })
  process.on('unhandledRejection', (error) => log.error(`Something failed that nobody waited for: ${stackOf(error)}`))
  app.on('child-process-gone', (_event, { type, reason, exitCode, serviceName, name }) => {
    if (reason !== 'clean-exit') log.error(`The process ${name ?? serviceName ?? type} (${type}) ended: ${reason} (${exitCode})`)
  })
}

const stackOf = (error: unknown): string =>
  (error instanceof Error ? (error.stack ?? error.message) : String(error)).replace(/\s*\n\s*/g, ' < ')
