// The profile of a command. With `--config` and no `--data-dir` it is made for this run and removed after it, so that a script with its own
// file neither reads nor changes the person's profile.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { readConfig } from '#app/server/config/read-config.ts'
import { decodeTextFile } from '#main/base/decode-text.ts'
import { profileFolder } from '#main/shell/node/data-dir.ts'
import type { Options } from './command-line.ts'

/**
 * Checks the file of `--config` before a profile is made, so that an unreadable file is not taken for one without servers.
 * @throws {HostError} `config.unreadable` or `config.syntax` when nothing in the file can be used.
 */
export function requireConfigFile(file: string): void {
  const read = readConfig(readText(file), file)
  const problem = read.problems[0]
  if (read.usable || !problem) return
  const { line = 1, column = 1, message, remedy } = problem
  throw new HostError('config.syntax', t`${file}, line ${line}: ${message} ${remedy}`, { data: { file, line, column } })
}

function readText(file: string): string {
  try {
    return decodeTextFile(readFileSync(file))
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown'
    const message = t`${file} cannot be read.`
    throw new HostError('config.unreadable', message, { data: { file, reason }, cause: error })
  }
}

export interface Profile {
  readonly dataDir: string
  /** Chosen neither by option nor by environment. */
  readonly isDefault: boolean
  readonly temporary: boolean
  readonly configFile: string | undefined
  remove(): void
}

/** @throws {HostError} `config.unreadable` when the file of `--config` does not exist */
export function openProfile({ config, dataDir }: Pick<Options, 'config' | 'dataDir'>, { temporary = true } = {}): Profile {
  const configFile = config === undefined ? undefined : resolve(config)
  if (configFile !== undefined && !existsSync(configFile))
    throw new HostError('config.unreadable', t`“${configFile}” cannot be read.`, { data: { file: configFile } })
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
  return { dataDir: profileFolder(dataDir), isDefault: !chosen, temporary: false, configFile, remove: () => {} }
}
