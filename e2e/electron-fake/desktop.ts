// The parts of Electron that live on the desktop: the tray, keys that work in every app, images, and crash reports.
import { existsSync } from 'node:fs'
import type {
  CrashReporter,
  CrashReporterStartOptions,
  GlobalShortcut,
  Menu,
  NativeImage,
  PowerMonitor,
  Tray as RealTray,
  nativeImage as realImage,
} from 'electron'
import { app } from './app.ts'
import { Emitter } from './emitter.ts'
import { record } from './record.ts'
import { templateOf } from './system.ts'

export class Tray extends Emitter implements Pick<RealTray, 'on' | 'destroy' | 'setContextMenu' | 'setToolTip' | 'setTitle'> {
  static open: Tray[] = []
  toolTip = ''
  title = ''
  /** Template of the menu that was set last. */
  menu: ReturnType<typeof templateOf> = []
  /** The words of shell/browser/api/electron_api_tray.cc and shell/common/api/electron_api_native_image.cc. */
  constructor(image: NativeImage | string) {
    super()
    if (!app.isReadyNow) throw new Error('Cannot create Tray before app is ready')
    if (typeof image === 'string' && !existsSync(image)) throw new Error(`Failed to load image from path '${image}'`)
    record('tray.new', image)
    Tray.open.push(this)
  }
  setToolTip(toolTip: string): void {
    this.toolTip = toolTip
  }
  setTitle(title: string): void {
    this.title = title
  }
  /** A changed menu is shown on Linux only once it is set again (docs/api/tray.md). */
  setContextMenu(menu: Menu | null): void {
    record('tray.setContextMenu', menu)
    this.menu = templateOf(menu)
  }
  destroy(): void {
    Tray.open = Tray.open.filter((tray) => tray !== this)
  }
}

/** Keys of other apps, and whether the desktop binds keys in the app's place, as Wayland's portal does. */
export const keyboard: { readonly taken: Set<string>; portal: boolean } = { taken: new Set(), portal: false }
const bound = new Map<string, () => void>()

/** Presses keys in another app. */
export function pressAnywhere(accelerator: string): void {
  bound.get(accelerator)?.()
}

// shell/browser/api/electron_api_global_shortcut.cc
export const globalShortcut = {
  /** False when another app has the keys; under the portal always true, since its answer comes later (electron/electron issue 52218). */
  register(accelerator: string, callback: () => void): boolean {
    if (!app.isReadyNow) throw new Error('globalShortcut cannot be used before the app is ready')
    record('globalShortcut.register', accelerator)
    if (!keyboard.portal && keyboard.taken.has(accelerator)) return false
    bound.set(accelerator, callback)
    return true
  },
  /** Under the portal it does nothing: the keys still come. */
  unregister(accelerator: string): void {
    record('globalShortcut.unregister', accelerator)
    if (!keyboard.portal) bound.delete(accelerator)
  },
} satisfies Pick<GlobalShortcut, 'register' | 'unregister'>

export const nativeImage = {
  /** Refuses a buffer that has not four bytes a pixel (`NativeImage::CreateFromBitmap`). */
  createFromBitmap(buffer: Buffer, { width, height }: { width: number; height: number }): NativeImage {
    if (buffer.length < width * height * 4) throw new Error('invalid buffer size')
    const image: Pick<NativeImage, 'isEmpty'> = { isEmpty: () => false }
    return image as NativeImage // never looked into
  },
} satisfies Pick<typeof realImage, 'createFromBitmap'>

export const crashReporter = {
  /** Without `uploadToServer: false` an address is required (lib/browser/api/crash-reporter.ts). */
  start(options: CrashReporterStartOptions): void {
    if (options.uploadToServer !== false && !options.submitURL) throw new Error('submitURL must be specified when uploadToServer is true')
    record('crashReporter.start', options)
  },
} satisfies Pick<CrashReporter, 'start'>

class FakePowerMonitor extends Emitter implements Pick<PowerMonitor, 'on'> {}
export const powerMonitor = new FakePowerMonitor()

export function resetDesktop(): void {
  powerMonitor.forgetListeners()
  Tray.open = []
  keyboard.taken.clear()
  keyboard.portal = false
  bound.clear()
}
