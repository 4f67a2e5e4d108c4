import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { HostError } from '#app/errors.ts'
import { logText } from '#app/server/log-text.ts'
import { logFileName } from '#main/servers/logs/log-files.ts'
import type { HostParts } from './handlers.ts'

/** Where it was written, in a folder that the person chose; null: they chose none. A file that is there stays as it is. */
export async function saveLog({ platform, servers }: Pick<HostParts, 'platform' | 'servers'>, name: string): Promise<string | null> {
  const folder = await platform.chooseFolder(`Where to save the log of ${name}`)
  if (folder === null) return null
  const { lines } = servers.log(name)
  const all = [...(await servers.earlierLog(name)), ...lines]
  const now = new Date().toISOString().slice(0, 19).replaceAll(':', '')
  const path = join(folder, logFileName(name).replace(/-[0-9a-f]+\.log$/, `-${now}.log.txt`))
  try {
    await writeFile(path, `${logText(all)}\n`, { flag: 'wx', mode: 0o600 })
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code === 'ENOSPC' ? 'disk.full' : 'folder.not-found'
    throw new HostError(code, `The log of “${name}” could not be written to ${path}.`, { data: { path }, cause })
  }
  return path
}
