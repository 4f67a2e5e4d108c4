// Completion of a typed path, for shells without a file picker. A folder that cannot be read gives none.
import { opendir, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { mostCompletions } from '#app/shared-folders.ts'

const mostEntries = 5000

/** Lists the folders that begin like the typed path; with `files` the files too. */
export async function completeFolder(typed: string, files = false): Promise<{ folders: string[]; more: boolean }> {
  const cut = Math.max(typed.lastIndexOf('/'), process.platform === 'win32' ? typed.lastIndexOf('\\') : -1) + 1
  const [lead, begun] = [typed.slice(0, cut), typed.slice(cut)]
  const folder = /^~[/\\]/.test(lead) ? join(homedir(), lead.slice(1)) : lead
  if (!isAbsolute(folder)) return { folders: [], more: false }
  const separator = lead.at(-1) ?? '/'
  const found: string[] = []
  let looked = 0
  try {
    for await (const entry of await opendir(folder)) {
      looked += 1
      if (looked > mostEntries) break
      if (!isWanted(entry.name, begun)) continue
      const isFolder = entry.isDirectory() || (entry.isSymbolicLink() && (await leadsToFolder(join(folder, entry.name))))
      if (isFolder) found.push(`${entry.name}${separator}`)
      else if (files && (entry.isFile() || entry.isSymbolicLink())) found.push(entry.name)
    }
  } catch {
    // The folder is gone, or may not be read.
  }
  found.sort((a, b) => a.localeCompare(b))
  return {
    folders: found.slice(0, mostCompletions).map((name) => `${lead}${name}`),
    more: looked > mostEntries || found.length > mostCompletions,
  }
}

/** Hidden entries need the typed dot; the case of letters does not matter. */
const isWanted = (name: string, begun: string): boolean =>
  name.toLowerCase().startsWith(begun.toLowerCase()) && (begun.startsWith('.') || !name.startsWith('.'))

const leadsToFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
