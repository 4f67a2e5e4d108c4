// Whether Electron's binary is here, read from the file system: `require('electron')` would start a download.
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The path of Electron's executable, or undefined when it is not there (install scripts do not fetch it). */
export function electronBinary(root = resolve(import.meta.dirname, '..')): string | undefined {
  const folder = join(root, 'node_modules', 'electron')
  const pathFile = join(folder, 'path.txt')
  const override = process.env['ELECTRON_OVERRIDE_DIST_PATH']
  const names = { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' } as Record<string, string>
  const name = existsSync(pathFile) ? readFileSync(pathFile, 'utf8').trim() : (names[process.platform] ?? 'electron')
  const candidate = override ? join(override, name) : join(folder, 'dist', name)
  return existsSync(candidate) ? candidate : undefined
}
