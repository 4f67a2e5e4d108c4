import type { App } from 'electron'
import { Emitter } from './emitter.ts'
import { record } from './record.ts'

class FakeApp
  extends Emitter
  implements
    Pick<
      App,
      | 'on'
      | 'off'
      | 'once'
      | 'enableSandbox'
      | 'requestSingleInstanceLock'
      | 'quit'
      | 'exit'
      | 'setPath'
      | 'getPath'
      | 'getVersion'
      | 'whenReady'
      | 'isPackaged'
      | 'setAsDefaultProtocolClient'
      | 'getPreferredSystemLanguages'
    >
{
  hasLock = true
  isPackaged = false
  paths: Record<string, string> = { appData: '/nowhere' }
  /** The test says when the app is ready. */
  ready = Promise.withResolvers<void>()

  setAsDefaultProtocolClient(protocol: string): boolean {
    record('app.setAsDefaultProtocolClient', protocol)
    return true
  }
  getPreferredSystemLanguages(): string[] {
    return ['en-GB', 'de-AT']
  }
  enableSandbox(): void {
    record('app.enableSandbox')
  }
  requestSingleInstanceLock(): boolean {
    record('app.requestSingleInstanceLock')
    return this.hasLock
  }
  quit(): void {
    record('app.quit')
  }
  exit(exitCode?: number): void {
    record('app.exit', exitCode)
  }
  setPath(name: string, path: string): void {
    record('app.setPath', name, path)
    this.paths[name] = path
  }
  getPath(name: string): string {
    const path = this.paths[name]
    if (path === undefined) throw new Error(`The fake has no path ${name}.`)
    return path
  }
  getVersion(): string {
    return '9.9.9'
  }
  whenReady(): Promise<void> {
    record('app.whenReady')
    return this.ready.promise
  }
}

export const app = new FakeApp()
