// The `file://` URI of a folder, as servers are told it (MCP, "Roots"). Right for the other system too, so that both are
// tested on either.
import { posix, win32 } from 'node:path'
import { pathToFileURL } from 'node:url'

/** `path`: absolute. */
export function fileUri(path: string, windows = process.platform === 'win32'): string {
  const { href } = pathToFileURL(path, { windows })
  // Node writes the root of a drive with a slash too many (`file:///D://`).
  return href.replace(/^(file:\/\/\/[A-Za-z]:)\/+$/, '$1/')
}

/** The last part of a path; of a root the whole of it. */
export const folderName = (path: string, windows = process.platform === 'win32'): string => (windows ? win32 : posix).basename(path) || path
