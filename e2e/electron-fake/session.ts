import type { Session } from 'electron'
import { Emitter } from './emitter.ts'

type Handler<Name extends keyof Session> = Session[Name] extends (handler: infer H, ...rest: never[]) => unknown ? H : never

export class FakeSession
  extends Emitter
  implements
    Pick<
      Session,
      'setPermissionRequestHandler' | 'setPermissionCheckHandler' | 'setDevicePermissionHandler' | 'setDisplayMediaRequestHandler' | 'on'
    >
{
  permissionRequest: Handler<'setPermissionRequestHandler'> = null
  permissionCheck: Handler<'setPermissionCheckHandler'> = null
  devicePermission: Handler<'setDevicePermissionHandler'> = null
  displayMedia: Handler<'setDisplayMediaRequestHandler'> = null

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
