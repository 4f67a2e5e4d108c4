// Reader of the config files of other applications, at their known locations. Nothing is written. A file that is too large or cannot be
// read is reported as a problem. Symbolic links are followed, since people keep such files elsewhere, but only to a regular file.
import { constants } from 'node:fs'
import { type FileHandle, open, readdir, stat } from 'node:fs/promises'
import { isAbsolute, join, resolve } from 'node:path'
import { t } from '#app/i18n/translate.ts'
import { onlyProblem, type Snippet } from '#app/server/candidate.ts'
import type { HostId } from '#app/server/import/app-names.ts'
import {
  type AppConfigLocation,
  type AppSystem,
  appConfigLocations,
  inProject,
  projectConfigLocations,
} from '#app/server/import/known-apps.ts'
import { formatBytes } from '#app/text/format-text.ts'

/** Bytes. The largest of these files keep histories too, and are far smaller. */
const largestConfigFile = 8 * 1024 * 1024
const mostFiles = 100

export interface AppConfigFile {
  readonly host: HostId
  readonly path: string
  readonly snippet: Snippet
}

export const findAppConfigFiles = (system: AppSystem): Promise<AppConfigFile[]> => lookAt(appConfigLocations(system))

/** Reads the files of applications in the folder of a project, or one file. `place`: absolute or from `~`; reported if nothing is there. */
export async function findConfigFilesIn(place: string, system: AppSystem): Promise<AppConfigFile[]> {
  const { platform, home } = system
  const path = /^~(?=$|[\\/])/.test(place) ? join(home, place.slice(1)) : place
  const nothing = (message: string, remedy: string): AppConfigFile[] => [
    { host: 'other', path, snippet: onlyProblem({ file: path }, message, remedy) },
  ]
  if (!isAbsolute(path)) return nothing(t`Write a whole path, from / or ~/.`, t`Write a whole path, from / or ~/.`)
  const isFolder = await stat(path).then(
    (there) => there.isDirectory(),
    () => undefined,
  )
  if (isFolder === undefined) return nothing(t`There is no such file.`, t`Choose another folder.`)
  const folder = resolve(path)
  if (!isFolder) {
    const host = appConfigLocations(system).find((known) => known.path === folder)?.host ?? 'other'
    const [file] = await lookAt([{ host, path: folder }])
    return file && !isEmpty(file.snippet) ? [file] : nothing(t`No server is in it.`, t`Choose another folder.`)
  }
  const found = (await lookAt(projectConfigLocations(folder, platform))).map((file) => ({
    ...file,
    snippet: inProject(file.snippet, folder),
  }))
  return found.some(({ snippet }) => !isEmpty(snippet)) ? found : nothing(t`No server is in it.`, t`Choose another folder.`)
}

const isEmpty = ({ servers, problems }: Snippet): boolean => servers.length + problems.length === 0

async function lookAt(places: readonly AppConfigLocation[]): Promise<AppConfigFile[]> {
  const found: AppConfigFile[] = []
  for (const place of places)
    for (const path of await filesAt(place)) {
      const snippet = await readAt(place.host, path)
      if (snippet) found.push({ host: place.host, path, snippet })
    }
  return found
}

async function filesAt({ path, inside }: AppConfigLocation): Promise<string[]> {
  if (inside === undefined) return [path]
  const { starts = '', ends = [''], file = '' } = inside
  try {
    const names = await readdir(path)
    return names
      .filter((name) => name.startsWith(starts) && ends.some((end) => name.toLowerCase().endsWith(end)))
      .sort()
      .slice(0, mostFiles)
      .map((name) => join(path, name, file))
  } catch {
    return [] // Most people do not have this application.
  }
}

async function readAt(host: HostId, path: string): Promise<Snippet | undefined> {
  const problem = (message: string, remedy: string): Snippet => onlyProblem({ file: path }, message, remedy)
  let file: FileHandle | undefined
  try {
    // Without O_NONBLOCK, opening a named pipe would wait for a writer.
    file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    const stat = await file.stat()
    if (!stat.isFile()) return problem(t`There is no such file.`, t`Choose another file.`)
    if (stat.size > largestConfigFile)
      return problem(
        t`The file is too large: ${formatBytes(stat.size)}. At most ${formatBytes(largestConfigFile)} are read.`,
        t`Paste the entries that you want.`,
      )
    const bytes = Buffer.alloc(stat.size)
    const { bytesRead } = await file.read(bytes, 0, stat.size, 0)
    // The readers of all formats are loaded where a file is there to read: most people have none.
    const { readHostFile } = await import('#app/server/import/read-snippet.ts')
    return readHostFile(host, bytes.toString('utf8', 0, bytesRead), path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (file === undefined && (code === 'ENOENT' || code === 'ENOTDIR')) return undefined
    const remedy = file === undefined ? t`Check its permissions, then try again.` : t`Try again.`
    return problem(t`The file cannot be read (${code ?? t`unknown`}).`, remedy)
  } finally {
    await file?.close()
  }
}
