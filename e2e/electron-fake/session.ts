import type { CallbackResponse, OnBeforeRequestListenerDetails, Session, WebRequestFilter } from 'electron'
import { Emitter } from './emitter.ts'
import { record } from './record.ts'

type Handler<Name extends keyof Session> = Session[Name] extends (handler: infer H, ...rest: never[]) => unknown ? H : never

type RequestListener = (details: OnBeforeRequestListenerDetails, answer: (response: CallbackResponse) => void) => void

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

  /** Asks the listener as Chromium would before it sends; true: the request was cancelled. */
  cancels(details: Pick<OnBeforeRequestListenerDetails, 'url' | 'frame' | 'webContentsId'>): boolean {
    let cancelled = false
    const answer = ({ cancel }: CallbackResponse): void => {
      cancelled = cancel === true
    }
    const scheme = URL.parse(details.url)?.protocol ?? ''
    if (this.#filter?.urls.some((url) => url.startsWith(scheme))) this.#beforeRequest?.(details as OnBeforeRequestListenerDetails, answer)
    return cancelled
  }
  #filter: WebRequestFilter | undefined
  #beforeRequest: RequestListener | undefined
  readonly webRequest = {
    onBeforeRequest: (filter: WebRequestFilter, listener: RequestListener): void => {
      this.#filter = filter
      this.#beforeRequest = listener
    },
  } as Session['webRequest']

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

const partitions = new Map<string, FakeSession>()
export const session = {
  defaultSession: new FakeSession(),
  /** One session a name (docs/api/session.md, `session.fromPartition`). */
  fromPartition(name: string): FakeSession {
    const made = partitions.get(name) ?? new FakeSession()
    partitions.set(name, made)
    return made
  },
}
