// The files of other programs, at the places that are known, read and never written. A file that is none, is too large or
// cannot be read is named; a link is followed, for people keep such files elsewhere, but only to a file.
import { constants } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ConfigProblem } from '#app/server/definition.ts'
import { type HostId, type HostPlace, hostPlaces, readHostFile, type System } from '#app/server/import/hosts.ts'
import { emptySnippet } from '#app/server/import/read-json.ts'
import type { Snippet } from '#app/server/import/snippet.ts'
import { formatBytes } from '#app/text.ts'

/** Bytes. The largest of these files keeps histories too; none that a person has is as large. */
export const largestFile = 8 * 1024 * 1024
const mostFiles = 100

export interface FileElsewhere {
  readonly host: HostId
  readonly path: string
  readonly snippet: Snippet
}

/** The files that are there, in the order of the hosts. */
export async function lookElsewhere(system: System): Promise<FileElsewhere[]> {
  const found: FileElsewhere[] = []
  for (const place of hostPlaces(system))
    for (const path of await filesAt(place)) {
      const snippet = await readAt(place.host, path)
      if (snippet) found.push({ host: place.host, path, snippet })
    }
  return found
}

async function filesAt({ path, ends }: HostPlace): Promise<string[]> {
  if (ends === undefined) return [path]
  try {
    const names = await readdir(path)
    return names
      .filter((name) => ends.some((end) => name.toLowerCase().endsWith(end)))
      .sort()
      .slice(0, mostFiles)
      .map((name) => join(path, name))
  } catch {
    // Most people have not got it: there is nothing to take over from there.
    return []
  }
}

/** Undefined: it is not there. */
async function readAt(host: HostId, path: string): Promise<Snippet | undefined> {
  const problem = (message: string, remedy: string): Snippet => {
    const one: ConfigProblem = { file: path, message, remedy }
    return { ...emptySnippet, problems: [one] }
  }
  try {
    // A pipe would be waited for at its opening otherwise.
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(
      (error: unknown) => error as NodeJS.ErrnoException,
    )
    if (!('stat' in file)) {
      if (file.code === 'ENOENT' || file.code === 'ENOTDIR') return undefined
      return problem(`The file cannot be read (${file.code ?? 'unknown'}).`, 'Check who may read it, then look again.')
    }
    try {
      const stat = await file.stat()
      if (!stat.isFile()) return problem('This is not a file.', 'Nothing of it was read.')
      if (stat.size > largestFile)
        return problem(
          `The file is too large: ${formatBytes(stat.size)}. At most ${formatBytes(largestFile)} are read.`,
          'Paste the entries that you want.',
        )
      const bytes = Buffer.alloc(stat.size)
      const { bytesRead } = await file.read(bytes, 0, stat.size, 0)
      return readHostFile(host, bytes.toString('utf8', 0, bytesRead), path)
    } finally {
      await file.close()
    }
  } catch (error) {
    return problem(`The file cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`, 'Look again in a moment.')
  }
}
