// What a path that is being typed may become: the folders that begin so, for where there is no picker of the system's, and
// the files, where one is asked for. A bounded look at a bounded number; of a folder that cannot be read there is nothing
// to say.
import { opendir, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { mostCompletions } from '#app/shared-folders.ts'

/** Entries of one folder that are looked at. */
const mostEntries = 5000

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
    // It is gone, or not for this person.
  }
  found.sort((a, b) => a.localeCompare(b))
  return {
    folders: found.slice(0, mostCompletions).map((name) => `${lead}${name}`),
    more: looked > mostEntries || found.length > mostCompletions,
  }
}

/** Hidden ones only for who begins with the dot; the case of letters is what most mistype. */
const isWanted = (name: string, begun: string): boolean =>
  name.toLowerCase().startsWith(begun.toLowerCase()) && (begun.startsWith('.') || !name.startsWith('.'))

const leadsToFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
