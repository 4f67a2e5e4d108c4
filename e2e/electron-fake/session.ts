import type { Session } from 'electron'
import { Emitter } from './emitter.ts'
import { record } from './record.ts'

type Handler<Name extends keyof Session> = Session[Name] extends (handler: infer H, ...rest: never[]) => unknown ? H : never

export class FakeSession
  extends Emitter
  implements
    Pick<
      Session,
      | 'setPermissionRequestHandler'
      | 'setPermissionCheckHandler'
      | 'setDevicePermissionHandler'
      | 'setDisplayMediaRequestHandler'
      | 'on'
      | 'resolveProxy'
      | 'setSpellCheckerEnabled'
      | 'setSpellCheckerLanguages'
      | 'availableSpellCheckerLanguages'
      | 'addWordToSpellCheckerDictionary'
    >
{
  permissionRequest: Handler<'setPermissionRequestHandler'> = null
  permissionCheck: Handler<'setPermissionCheckHandler'> = null
  devicePermission: Handler<'setDevicePermissionHandler'> = null
  displayMedia: Handler<'setDisplayMediaRequestHandler'> = null

  /** What the system answers of every address. */
  proxy: string | Error = 'DIRECT'
  async resolveProxy(url: string): Promise<string> {
    record('session.resolveProxy', url)
    if (this.proxy instanceof Error) throw this.proxy
    return this.proxy
  }

  readonly availableSpellCheckerLanguages = ['de', 'en-GB', 'en-US']
  setSpellCheckerEnabled(enable: boolean): void {
    record('session.setSpellCheckerEnabled', enable)
  }
  setSpellCheckerLanguages(languages: string[]): void {
    record('session.setSpellCheckerLanguages', languages)
  }
  addWordToSpellCheckerDictionary(word: string): boolean {
    record('session.addWordToSpellCheckerDictionary', word)
    return true
  }
  /** For code that takes Electron's own type: the fake has the part of it that the shell uses. */
  asReal(): Session {
    return this as unknown as Session
  }
  setPermissionRequestHandler(handler: Handler<'setPermissionRequestHandler'>): void {
    this.permissionRequest = handler
  }
  setPermissionCheckHandler(handler: Handler<'setPermissionCheckHandler'>): void {
    this.permissionCheck = handler
  }
  setDevicePermissionHandler(handler: Handler<'setDevicePermissionHandler'>): void {
    this.devicePermission = handler
  }
  setDisplayMediaRequestHandler(handler: Handler<'setDisplayMediaRequestHandler'>): void {
    this.displayMedia = handler
  }
}

export const session = { defaultSession: new FakeSession() }
