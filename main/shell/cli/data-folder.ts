// The profile of a command. With `--config` and no `--data-dir` it is made for this run and removed after it, so that a script with its own
// file neither reads nor changes the person's profile.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { HostError } from '#app/errors.ts'
import { formatWhen } from '#app/i18n/format-dates.ts'
import { t } from '#app/i18n/translate.ts'
import { readConfig } from '#app/server/config/read-config.ts'
import { decodeTextFile } from '#main/base/decode-text.ts'
import { type ProfilePlaces, profilePlaces } from '#main/shell/node/data-dir.ts'
import { isMoveDue, moveProfile, type ProfileChoice, twoProfiles } from '#main/shell/node/move-profile.ts'
import { moveStateKey } from '#main/shell/node/state-key.ts'
import type { Options } from './command-line.ts'
import { type CliOutput, visibleLine } from './output.ts'

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

type Note = Pick<CliOutput, 'note'>

/** @throws {HostError} `config.unreadable` when the file of `--config` does not exist; `profile.two`, and what `moveProfile` throws. */
export async function openProfile(
  { config, dataDir }: Pick<Options, 'config' | 'dataDir'>,
  output: Note,
  { temporary = true } = {},
): Promise<Profile> {
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
  const places = profilePlaces(dataDir)
  if (places.former !== undefined) await settleProfile(places, output)
  return { dataDir: places.dataDir, isDefault: !chosen, temporary: false, configFile, remove: () => {} }
}

interface Terminal {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
}

const ownTerminal = (): Terminal | undefined =>
  process.stdin.isTTY && process.stderr.isTTY ? { input: process.stdin, output: process.stderr } : undefined

/**
 * Moves the profile of an earlier version. Where there are two, a person at a terminal chooses.
 * @throws {HostError} `profile.two` when nobody chose, and what `moveProfile` throws
 */
export async function settleProfile(
  places: ProfilePlaces,
  output: Note,
  {
    terminal = ownTerminal(),
    moveKey = moveStateKey,
  }: { readonly terminal?: Terminal | undefined; readonly moveKey?: typeof moveStateKey } = {},
): Promise<void> {
  if (!isMoveDue(places)) return
  const kept = await moveProfile(places, { ask: terminal ? (choices) => chooseProfile(choices, terminal) : async () => undefined, moveKey })
  if (kept === undefined) {
    const { dataDir, former } = places
    throw new HostError('profile.two', `${twoProfiles()} ${dataDir}, ${former}`, { data: { paths: [dataDir, former] } })
  }
  output.note(`assent: ${t`The other profile is kept: ${visibleLine(kept)}`}`)
}

async function chooseProfile(choices: readonly ProfileChoice[], terminal: Terminal): Promise<string | undefined> {
  const lines = createInterface({ ...terminal, terminal: false })
  try {
    const listed = choices.map(({ path, used }, at) => `${at + 1}: ${visibleLine(path)}  ${formatWhen(used, Date.now())}`)
    return choices[Number(await lines.question(`${[twoProfiles(), ...listed].join('\n')}\n[1/2] `)) - 1]?.path
  } finally {
    lines.close()
  }
}
