// Uncaught errors of the host's process. Electron would show a stack trace and run on; here the error is logged, every server is ended, the
// person is told, and the app quits.
import { app, dialog } from 'electron'
import { t } from '#app/i18n/translate.ts'
import type { Log } from '#main/base/host-log.ts'
import type { Leave } from './quit.ts'

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
    leave(1, () =>
      dialog.showErrorBox(t`Assent has to close`, t`Something in it failed. Your chats are kept. What happened is in ${logPath}.`),
    )
  })
  process.on('unhandledRejection', (error) => log.error(`Something failed that nobody waited for: ${stackOf(error)}`))
  app.on('child-process-gone', (_event, { type, reason, exitCode, serviceName, name }) => {
    if (reason !== 'clean-exit') log.error(`The process ${name ?? serviceName ?? type} (${type}) ended: ${reason} (${exitCode})`)
  })
}

const stackOf = (error: unknown): string =>
  (error instanceof Error ? (error.stack ?? error.message) : String(error)).replace(/\s*\n\s*/g, ' < ')
