import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { HostError } from '#app/errors.ts'
import { logText } from '#app/server/log-text.ts'
import { t } from '#app/words/translate.ts'
import { logFileName } from '#main/servers/logs/log-files.ts'
import type { HostParts } from './handlers.ts'

/** Where it was written, in a folder that the person chose; null: they chose none. A file that is there stays as it is. */
export async function saveLog({ platform, servers }: Pick<HostParts, 'platform' | 'servers'>, name: string): Promise<string | null> {
  return saveText(platform, {
    name,
    title: t`Where to save the log of “${name}”`,
    ending: 'log.txt',
    text: async () => `${logText([...(await servers.earlierLog(name)), ...servers.log(name).lines])}\n`,
  })
}

interface Saved {
  /** The server's. */
  readonly name: string
  /** Of the question where to. */
  readonly title: string
  readonly ending: string
  /** Asked for once there is a folder. */
  readonly text: () => Promise<string> | string
}

/** The same for whatever is written of a server, under a name that tells when. */
export async function saveText(platform: HostParts['platform'], { name, title, ending, text }: Saved): Promise<string | null> {
  const folder = await platform.chooseFolder(title)
  if (folder === null) return null
  const now = new Date().toISOString().slice(0, 19).replaceAll(':', '')
  const path = join(folder, logFileName(name).replace(/-[0-9a-f]+\.log$/, `-${now}.${ending}`))
  try {
    await writeFile(path, await text(), { flag: 'wx', mode: 0o600 })
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code === 'ENOSPC' ? 'disk.full' : 'folder.not-found'
    throw new HostError(code, t`${path} could not be written.`, { data: { path }, cause })
  }
  return path
}
