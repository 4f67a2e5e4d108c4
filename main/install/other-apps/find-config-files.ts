// Reader of the config files of other applications, at their known locations. Nothing is written. A file that is too large or cannot be
// read is reported as a problem. Symbolic links are followed, since people keep such files elsewhere, but only to a regular file.
import { constants } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { t } from '#app/i18n/translate.ts'
import { onlyProblem, type Snippet } from '#app/server/candidate.ts'
import type { HostId } from '#app/server/import/app-names.ts'
import { formatBytes } from '#app/text/format-text.ts'
import { decodeTextFile } from '#main/base/decode-text.ts'
import { type AppConfigLocation, type AppSystem, appConfigLocations, inProject, projectConfigLocations } from './known-apps.ts'

/** Bytes. The largest of these files keep histories too, and are far smaller. */
export const largestConfigFile = 8 * 1024 * 1024
const mostFiles = 100

export interface AppConfigFile {
  readonly host: HostId
  readonly path: string
  readonly snippet: Snippet
}

export const findAppConfigFiles = (system: AppSystem): Promise<AppConfigFile[]> => lookAt(appConfigLocations(system), system)

/** Reads the files of applications in the folder of a project, or one file. `place`: absolute or from `~`; reported if nothing is there. */
export async function findConfigFilesIn(place: string, system: AppSystem): Promise<AppConfigFile[]> {
  const { platform, home } = system
  const path = /^~(?=$|[\\/])/.test(place) ? join(home, place.slice(1)) : place
  const nothing = (message: string, remedy: string): AppConfigFile[] => [
    { host: 'other', path, snippet: onlyProblem({ file: path }, message, remedy) },
  ]
  if (!isAbsolute(path)) return nothing(t`Write the whole path, from / or ~/.`, t`Write the whole path, from / or ~/.`)
  const isFolder = await stat(path).then(
    (there) => there.isDirectory(),
    () => undefined,
  )
  if (isFolder === undefined) return nothing(t`There is no such file.`, t`Choose another one.`)
  const folder = resolve(path)
  if (!isFolder) {
    const host = appConfigLocations(system).find((known) => resolve(known.path) === folder)?.host ?? 'other'
    const [file] = await lookAt([{ host, path: folder }], system)
    return file && !isEmpty(file.snippet) ? [file] : nothing(t`No server is named here.`, t`Choose another one.`)
  }
  const found = (await lookAt(projectConfigLocations(folder, platform), system)).map((file) => ({
    ...file,
    snippet: inProject(file.snippet, folder),
  }))
  return found.some(({ snippet }) => !isEmpty(snippet)) ? found : nothing(t`No server is named here.`, t`Choose another one.`)
}

const isEmpty = ({ servers, problems }: Snippet): boolean => servers.length + problems.length === 0

async function lookAt(places: readonly AppConfigLocation[], system: AppSystem): Promise<AppConfigFile[]> {
  const found: AppConfigFile[] = []
  for (const place of places)
    for (const path of await filesAt(place)) {
      const snippet = await readAt(place.host, path, system)
      if (snippet) found.push({ host: place.host, path, snippet })
    }
  return found
}

export async function filesAt({ path, within }: AppConfigLocation): Promise<string[]> {
  if (within === undefined) return [path]
  const [part = '', ...rest] = within
  const names = part.includes('*') ? await namesIn(path, part) : [part]
  const paths = names.map((name) => join(path, name))
  if (rest.length === 0) return paths
  return (await Promise.all(paths.map((folder) => filesAt({ host: 'other', path: folder, within: rest })))).flat()
}

/** Names in a folder that fit a pattern; none where most people do not have this application. */
async function namesIn(folder: string, pattern: string): Promise<string[]> {
  const [starts = '', ends = ''] = pattern.toLowerCase().split('*')
  const names = await readdir(folder).catch((): string[] => [])
  return names
    .filter((name) => name.toLowerCase().startsWith(starts) && name.toLowerCase().endsWith(ends))
    .sort()
    .slice(0, mostFiles)
}

async function readAt(host: HostId, path: string, system: AppSystem): Promise<Snippet | undefined> {
  try {
    const text = await readWhole(path)
    // The readers of all formats are loaded where a file is there to read: most people have none.
    if (host !== 'claude-desktop' || basename(path) !== 'manifest.json')
      return (await import('#app/server/import/read-snippet.ts')).readHostFile(host, text, path)
    const folder = dirname(path)
    const settings = `${join(dirname(folder), '..', 'Claude Extensions Settings', basename(folder))}.json`
    const { readExtension } = await import('./claude-extension.ts')
    return readExtension({ manifest: text, settings: await readWhole(settings).catch(() => ''), path, system })
  } catch (error) {
    if (error instanceof Unreadable) return onlyProblem({ file: path }, error.message, error.remedy)
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    return onlyProblem({ file: path }, t`The file cannot be read (${code ?? t`unknown`}).`, t`Check its permissions, then try again.`)
  }
}

class Unreadable extends Error {
  readonly remedy: string

  constructor(message: string, remedy: string) {
    super(message)
    this.remedy = remedy
  }
}

async function readWhole(path: string): Promise<string> {
  // Without O_NONBLOCK, opening a named pipe would wait for a writer.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const stat = await file.stat()
    if (!stat.isFile()) throw new Unreadable(t`There is no such file.`, t`Choose another one.`)
    if (stat.size > largestConfigFile)
      throw new Unreadable(
        t`The file is too large: ${formatBytes(stat.size)}. At most ${formatBytes(largestConfigFile)} are read.`,
        t`Paste the entries that you want.`,
      )
    const bytes = Buffer.alloc(stat.size)
    const { bytesRead } = await file.read(bytes, 0, stat.size, 0)
    return decodeTextFile(bytes.subarray(0, bytesRead))
  } finally {
    await file.close()
  }
}
