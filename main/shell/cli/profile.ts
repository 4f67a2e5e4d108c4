// Which profile a command runs on. With `--config` and no `--data-dir` it is one made for this run and removed after it:
// a script with a file of its own neither reads nor changes what the person has.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { HostError } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'
import { dataDirOf } from '#main/shell/node/data-dir.ts'
import type { Options } from './command-line.ts'

export interface Profile {
  readonly dataDir: string
  /** Neither chosen by option nor by environment. */
  readonly isDefault: boolean
  readonly temporary: boolean
  readonly configFile: string | undefined
  remove(): void
}

/** Throws `config.unreadable` when the file named with `--config` is not there. */
export function openProfile({ config, dataDir }: Pick<Options, 'config' | 'dataDir'>, { temporary = true } = {}): Profile {
  const configFile = config === undefined ? undefined : resolve(config)
  if (configFile !== undefined && !existsSync(configFile))
    throw new HostError('config.unreadable', t`There is no file ${configFile}.`, { data: { file: configFile } })
  const chosen = dataDir || process.env['ASSENT_DATA_DIR']
  if (configFile !== undefined && !chosen && temporary) {
    const folder = mkdtempSync(join(tmpdir(), 'assent-'))
    return {
      dataDir: folder,
      isDefault: false,
      temporary: true,
      configFile,
      remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
    }
  }
  return { dataDir: dataDirOf(dataDir), isDefault: !chosen, temporary: false, configFile, remove: () => {} }
}
