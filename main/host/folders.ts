// Folders that the person offers to servers: each is there, absolute, and listed once.
import { statSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { HostError } from '#app/errors.ts'

/** `known` ones are not looked at again: a drive may be away for a while. Throws `folder.not-found`. */
export function checkedFolders(typed: readonly string[], known: readonly string[]): string[] {
  return [...new Set(typed.map((path) => (known.includes(path) ? path : checked(path.trim()))))]
}

function checked(typed: string): string {
  const path = /^~[/\\]|^~$/.test(typed) ? join(homedir(), typed.slice(1)) : typed
  if (isAbsolute(path) && statSync(path, { throwIfNoEntry: false })?.isDirectory()) return resolve(path)
  throw new HostError(
    'folder.not-found',
    isAbsolute(path) ? `There is no folder ${path}.` : `“${typed}” is not the whole path of a folder.`,
    {
      data: { path: typed },
    },
  )
}
