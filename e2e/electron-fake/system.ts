// The parts of Electron that speak to the system: browser, dialogs, notifications, keyring, screens, menus, processes.
import { PassThrough } from 'node:stream'
import type {
  Clipboard,
  CustomScheme,
  Dialog,
  Display,
  ForkOptions,
  MenuItemConstructorOptions,
  MessageBoxOptions,
  NativeTheme,
  NotificationConstructorOptions,
  OpenDialogOptions,
  Protocol,
  Menu as RealMenu,
  Notification as RealNotification,
  utilityProcess as realUtilityProcess,
  SafeStorage,
  Screen,
  Shell,
  UtilityProcess,
} from 'electron'
import { app } from './app.ts'
import { Emitter } from './emitter.ts'
import { record } from './record.ts'

export const shell = {
  async openExternal(url: string): Promise<void> {
    record('shell.openExternal', url)
  },
  async openPath(path: string): Promise<string> {
    record('shell.openPath', path)
    return ''
  },
} satisfies Pick<Shell, 'openExternal' | 'openPath'>

export const clipboard = {
  async writeText(text: string): Promise<void> {
    record('clipboard.writeText', text)
  },
} satisfies Pick<Clipboard, 'writeText'>

/** `waits`: until it resolves, the person looks at the box. */
export const dialogAnswers = { folder: undefined as string | undefined, button: 0, waits: undefined as Promise<void> | undefined }
export const dialog = {
  async showOpenDialog(...args: readonly unknown[]): Promise<Electron.OpenDialogReturnValue> {
    record('dialog.showOpenDialog', args.at(-1) as OpenDialogOptions)
    return { canceled: dialogAnswers.folder === undefined, filePaths: dialogAnswers.folder === undefined ? [] : [dialogAnswers.folder] }
  },
  async showMessageBox(...args: readonly unknown[]): Promise<Electron.MessageBoxReturnValue> {
    record('dialog.showMessageBox', args.at(-1) as MessageBoxOptions)
    await dialogAnswers.waits
    return { response: dialogAnswers.button, checkboxChecked: false }
  },
  showErrorBox(title: string, content: string): void {
    record('dialog.showErrorBox', title, content)
  },
} satisfies Pick<Dialog, 'showOpenDialog' | 'showMessageBox' | 'showErrorBox'>

export class Notification extends Emitter implements Pick<RealNotification, 'on' | 'show'> {
  static supported = true
  static shown: Notification[] = []
  static isSupported(): boolean {
    return Notification.supported
  }
  static #activated: ((details: Electron.ActivationArguments) => void) | undefined
  /** Told of each activation, also of one that started the app or whose object is gone; on Windows alone (docs/api/notification.md). */
  static handleActivation(callback: (details: Electron.ActivationArguments) => void): void {
    Notification.#activated = callback
  }
  /** A click on a notification of an earlier run. False: nobody heard of it. */
  static activate(type: string): boolean {
    Notification.#activated?.({ type, arguments: `type=${type}&tag=1` })
    return Notification.#activated !== undefined
  }
  static forget(): void {
    Notification.#activated = undefined
    Notification.shown = []
    Notification.supported = true
  }
  readonly options: NotificationConstructorOptions
  constructor(options: NotificationConstructorOptions = {}) {
    super()
    this.options = options
  }
  show(): void {
    Notification.shown.push(this)
  }
}

/**
 * Encrypts by reversing, behind the tag that Chromium puts before what it encrypts (components/os_crypt/async: “v11” and
 * “v12” with a key of the Secret Service or the portal, “v10” on Linux with a password that is in Chromium's source, for
 * want of another; on a Mac and on Windows “v10” is the tag of the system's own key).
 */
interface Keyring {
  tag: 'v10' | 'v11' | 'v12'
  /** Named after the desktop, not after what answered (docs/api/safe-storage.md). */
  backend: ReturnType<SafeStorage['getSelectedStorageBackend']>
  /** Resolves once the keyring has said which keys there are: it may be asking the person for a password. */
  answered: Promise<void>
  encrypts: boolean
  /** `later`: the key is not to be had now (`temporarily_unavailable`); `never`: it is another key. */
  decrypts: 'yes' | 'later' | 'never'
  shouldReEncrypt: boolean
}
export const keyring: Keyring = {
  tag: 'v11',
  backend: 'gnome_libsecret',
  answered: Promise.resolve(),
  encrypts: true,
  decrypts: 'yes',
  shouldReEncrypt: false,
}
const reverse = (text: string): string => [...text].reverse().join('')
// The words of shell/browser/api/electron_api_safe_storage.cc.
export const safeStorage = {
  /** False before the app is ready; then true, as soon as the keyring has answered, whatever it said. */
  async isAsyncEncryptionAvailable(): Promise<boolean> {
    if (!app.isReadyNow) return false
    await keyring.answered
    return true
  },
  getSelectedStorageBackend: () => keyring.backend,
  async encryptStringAsync(plainText: string): Promise<Buffer> {
    record('safeStorage.encryptStringAsync')
    if (!app.isReadyNow) throw new Error('safeStorage cannot be used before app is ready')
    await keyring.answered
    if (!keyring.encrypts) throw new Error('Error while encrypting the text provided to safeStorage.encryptStringAsync.')
    return Buffer.from(plainText === '' ? '' : `${keyring.tag}${reverse(plainText)}`)
  },
  async decryptStringAsync(encrypted: Buffer): Promise<Electron.DecryptStringAsyncReturnValue> {
    await keyring.answered
    if (keyring.decrypts === 'later') throw new Error('safeStorage.decryptStringAsync is temporarily unavailable. Please try again.')
    if (keyring.decrypts === 'never') throw new Error('Error while decrypting the ciphertext provided to safeStorage.decryptStringAsync.')
    return { result: reverse(encrypted.toString().slice(keyring.tag.length)), shouldReEncrypt: keyring.shouldReEncrypt }
  },
} satisfies Pick<SafeStorage, 'isAsyncEncryptionAvailable' | 'getSelectedStorageBackend' | 'encryptStringAsync' | 'decryptStringAsync'>

class FakeTheme extends Emitter implements Pick<NativeTheme, 'themeSource' | 'shouldUseDarkColors' | 'on' | 'off'> {
  themeSource: NativeTheme['themeSource'] = 'system'
  shouldUseDarkColors = false
}
export const nativeTheme = new FakeTheme()

export const displays: Pick<Display, 'workArea'>[] = [{ workArea: { x: 0, y: 0, width: 1920, height: 1040 } }]
export const screen = {
  // A Display has forty fields, and the shell reads one.
  getAllDisplays: () => displays as Display[],
  getCursorScreenPoint: () => ({ x: 10, y: 10 }),
  getDisplayNearestPoint: () => displays[0] as Display,
} satisfies Pick<Screen, 'getAllDisplays' | 'getCursorScreenPoint' | 'getDisplayNearestPoint'>

/** Templates of all menus, and of those that were the application's. */
export const menus: MenuItemConstructorOptions[][] = []
export const applicationMenus: MenuItemConstructorOptions[][] = []
const templates = new WeakMap<RealMenu, MenuItemConstructorOptions[]>()
export const templateOf = (menu: RealMenu | null): MenuItemConstructorOptions[] => (menu && templates.get(menu)) ?? []
export const Menu = {
  buildFromTemplate(template: MenuItemConstructorOptions[]): RealMenu {
    menus.push(template)
    const menu = { popup: () => record('Menu.popup') } as RealMenu // never looked into
    templates.set(menu, template)
    return menu
  },
  setApplicationMenu(menu: RealMenu | null): void {
    record('Menu.setApplicationMenu')
    applicationMenus.push(templateOf(menu))
  },
} satisfies Pick<typeof RealMenu, 'buildFromTemplate' | 'setApplicationMenu'>

type ProtocolHandler = Parameters<Protocol['handle']>[1]
export const protocolHandlers = new Map<string, ProtocolHandler>()
export const protocol = {
  registerSchemesAsPrivileged(schemes: CustomScheme[]): void {
    record('protocol.registerSchemesAsPrivileged', schemes)
  },
  handle(scheme: string, handler: ProtocolHandler): void {
    protocolHandlers.set(scheme, handler)
  },
  unhandle(scheme: string): void {
    protocolHandlers.delete(scheme)
  },
} satisfies Pick<Protocol, 'registerSchemesAsPrivileged' | 'handle' | 'unhandle'>

export class FakeUtilityProcess
  extends Emitter
  implements Pick<UtilityProcess, 'on' | 'once' | 'kill' | 'postMessage' | 'pid' | 'stdout' | 'stderr'>
{
  readonly modulePath: string
  readonly options: ForkOptions
  readonly posted: unknown[] = []
  readonly stdout = new PassThrough()
  readonly stderr = new PassThrough()
  pid: number | undefined
  kills = 0
  constructor(modulePath: string, options: ForkOptions) {
    super()
    this.modulePath = modulePath
    this.options = options
  }
  kill(): boolean {
    this.kills += 1
    return true
  }
  postMessage(message: unknown): void {
    this.posted.push(structuredClone(message))
  }
  /** Ends the process: `exit` may come before its last output, which its pipes still hold (shell/browser/api/electron_api_utility_process.cc). */
  exit(code: number, last: Partial<Record<'stdout' | 'stderr', string>> = {}): void {
    this.fire('exit', code)
    setImmediate(() => {
      this.stdout.end(last.stdout)
      this.stderr.end(last.stderr)
    })
  }
}
export const forked: FakeUtilityProcess[] = []
export const utilityProcess = {
  fork(modulePath: string, args: string[] = [], options: ForkOptions = {}): UtilityProcess {
    record('utilityProcess.fork', modulePath, args, options)
    const child = new FakeUtilityProcess(modulePath, options)
    forked.push(child)
    return child as unknown as UtilityProcess // it has the part that the shell uses
  },
} satisfies Pick<typeof realUtilityProcess, 'fork'>
