// Facts of the system that the tests run on. Whole files that need POSIX stand in e2e/posix-only.ts.
import { statSync } from 'node:fs'
import { join } from 'node:path'

export const onWindows = process.platform === 'win32'

/** Variables that make a folder the home of a process on each system: with HOME alone it would open the person's own profile on Windows. */
export const homeVariables = (folder: string): Record<string, string> => ({
  HOME: folder,
  USERPROFILE: folder,
  APPDATA: join(folder, 'AppData', 'Roaming'),
  LOCALAPPDATA: join(folder, 'AppData', 'Local'),
})

/** Permission bits of a path; `expected` on Windows, which has none. */
export const modeOf = (path: string, expected: number): number => (onWindows ? expected : statSync(path).mode & 0o777)
