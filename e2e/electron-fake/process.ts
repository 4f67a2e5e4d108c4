import { EventEmitter } from 'node:events'
import { dialog } from './system.ts'

/**
 * Electron's main process: what nobody catches is shown in a box with its stack trace, and the process runs on, unless
 * somebody else listens as well (lib/browser/init.ts). What a promise was rejected with is at most a warning.
 */
export class FakeProcess extends EventEmitter {
  constructor() {
    super()
    this.on('uncaughtException', (error: Error) => {
      if (this.listenerCount('uncaughtException') > 1) return
      dialog.showErrorBox('A JavaScript error occurred in the main process', `Uncaught Exception:\n${error.stack ?? error.message}`)
    })
  }
}
