// The parts of Electron that speak to the system: browser, dialogs, notifications, keyring, screens, menus, processes.
import { PassThrough } from 'node:stream'
import type {
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

export const dialogAnswers = { folder: undefined as string | undefined, button: 0 }
export const dialog = {
  async showOpenDialog(...args: readonly unknown[]): Promise<Electron.OpenDialogReturnValue> {
    record('dialog.showOpenDialog', args.at(-1) as OpenDialogOptions)
    return { canceled: dialogAnswers.folder === undefined, filePaths: dialogAnswers.folder === undefined ? [] : [dialogAnswers.folder] }
  },
  async showMessageBox(...args: readonly unknown[]): Promise<Electron.MessageBoxReturnValue> {
    record('dialog.showMessageBox', args.at(-1) as MessageBoxOptions)
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
  readonly options: NotificationConstructorOptions
  constructor(options: NotificationConstructorOptions = {}) {
    super()
    this.options = options
  }
  show(): void {
    Notification.shown.push(this)
  }
}

/** Encrypts by reversing: enough to tell plain from encrypted. */
interface Keyring {
  available: boolean
  backend: ReturnType<SafeStorage['getSelectedStorageBackend']>
  locked: boolean
  shouldReEncrypt: boolean
}
export const keyring: Keyring = { available: true, backend: 'gnome_libsecret', locked: false, shouldReEncrypt: false }
const reverse = (text: string): string => [...text].reverse().join('')
export const safeStorage = {
  async isAsyncEncryptionAvailable(): Promise<boolean> {
    return keyring.available
  },
  getSelectedStorageBackend: () => keyring.backend,
  async encryptStringAsync(plainText: string): Promise<Buffer> {
    record('safeStorage.encryptStringAsync')
    if (keyring.locked) throw new Error('locked')
    return Buffer.from(`sealed:${reverse(plainText)}`)
  },
  async decryptStringAsync(encrypted: Buffer): Promise<Electron.DecryptStringAsyncReturnValue> {
    if (keyring.locked) throw new Error('locked')
    return { result: reverse(encrypted.toString().slice('sealed:'.length)), shouldReEncrypt: keyring.shouldReEncrypt }
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
} satisfies Pick<Screen, 'getAllDisplays'>

export const menus: MenuItemConstructorOptions[][] = []
export const Menu = {
  buildFromTemplate(template: MenuItemConstructorOptions[]): RealMenu {
    menus.push(template)
    const menu: Pick<RealMenu, 'popup'> = { popup: () => record('Menu.popup') }
    return menu as RealMenu // never looked into
  },
  setApplicationMenu(): void {
    record('Menu.setApplicationMenu')
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
    this.posted.push(message)
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
