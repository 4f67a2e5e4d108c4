// How a file of the checkout is named where modules are loaded: by URL for Node's import(), with forward slashes for Vite.
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/** Returns what import() takes for a file: a bare `C:\…` would be read as a URL of the scheme `c:`. */
export const fileModule = (file: string, windows = process.platform === 'win32'): string => pathToFileURL(file, { windows }).href

/** Returns the ids that Vite gives to the files below `root`: absolute paths with forward slashes on every system. */
export const moduleIdsBelow =
  (root: string, system: Pick<path.PlatformPath, 'resolve' | 'sep'> = path) =>
  (file: string): string =>
    system.resolve(root, file).replaceAll(system.sep, '/')
