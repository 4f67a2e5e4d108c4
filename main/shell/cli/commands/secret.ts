// `assent secret`: sets, lists and removes values that servers.json names as `${input:ID}`. It uses the file and the keyring only, also while
// Assent runs on the profile; no value is an argument, and none is printed.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { type ReadConfig, readConfig } from '#app/server/config/read-config.ts'
import { inputsIn } from '#app/server/inputs/variable-references.ts'
import { decodeTextFile } from '#main/base/decode-text.ts'
import type { SecretStore } from '#main/base/secret-store.ts'
import { createInputs, fileScope } from '#main/servers/config/inputs/input-values.ts'
import { openKeyring, serviceOf } from '#main/shell/node/system-keyring.ts'
import type { Options } from '../command-line.ts'
import { openProfile, requireConfigFile } from '../data-folder.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { type CliOutput, formatTable, inARow, visibleLine } from '../output.ts'

export interface SecretCommand {
  readonly action: 'set' | 'list' | 'remove'
  readonly server: string
  readonly id: string
  readonly config: ReadConfig
  readonly secrets: SecretStore
  /** Scope of the file's values in the keyring; '': the profile's own. */
  readonly scope: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly readValue: () => Promise<string>
  readonly output: CliOutput
}

export async function secret(options: Options, [action, server = '', id = '']: readonly string[], output: CliOutput): Promise<ExitCode> {
  const profile = await openProfile(options, output, { temporary: false })
  if (profile.configFile !== undefined) requireConfigFile(profile.configFile)
  const file = profile.configFile ?? join(profile.dataDir, 'servers.json')
  const text = existsSync(file) ? decodeTextFile(readFileSync(file)) : ''
  return runSecret({
    action: action as SecretCommand['action'], // The command line has been read: it is one of them.
    server,
    id,
    config: readConfig(text, file),
    secrets: await openKeyring(serviceOf(profile.dataDir, profile.isDefault), process.env),
    scope: profile.configFile === undefined ? '' : fileScope(profile.configFile),
    env: process.env,
    readValue: () => readValue(server, id),
    output,
  })
}

export async function runSecret({ action, server, id, config, secrets, scope, env, readValue, output }: SecretCommand): Promise<ExitCode> {
  const inputs = createInputs({ secrets, scope, env })
  inputs.configure(config.definitions, config.inputs)
  if (action === 'list') {
    const rows: ListedSecret[] = []
    for (const [name, definition] of config.definitions)
      for (const view of inputs.views(name, definition)) {
        const set = view.from !== undefined || (await inputs.get(name, view.id)) !== undefined
        rows.push({ server: name, id: view.id, set, shared: view.shared, from: view.from ?? null, description: view.description ?? null })
      }
    if (output.json) output.value(rows)
    else if (rows.length > 0) output.text(formatTable(rows.map(lineOf)))
    else output.note(t`No server names a value that is kept.`)
    return exitCodes.done
  }
  if (secrets.kind === 'memory')
    throw new HostError(
      'secrets.unavailable',
      t`No keyring here: nothing can be kept. Give the value as ASSENT_INPUT_ID in the environment.`,
    )
  if (action === 'remove') {
    // A value that no server names any more can be removed too.
    if ((await inputs.get(server, id)) === undefined)
      output.note(`assent: ${t`Nothing is kept under ${visibleLine(server)} ${visibleLine(id)}.`}`)
    await inputs.forget(server, id)
    return exitCodes.done
  }
  const definition = config.definitions.get(server)
  if (!definition) throw new HostError('server.unknown', t`There is no server named “${server}”.`, { data: { server } })
  const ids = inputsIn(definition)
  if (!ids.includes(id)) {
    const message = inARow(t`“${server}” has no value “${id}”.`, ids.length > 0 && t`There are: ${ids.join(', ')}.`)
    throw new HostError('config.invalid', message, { data: { server, id } })
  }
  const value = (await readValue()).replace(/[\r\n]+$/, '')
  if (value === '' || value.includes('\0')) {
    output.note(`assent: ${t`No usable value on stdin. Nothing was kept.`}`)
    return exitCodes.usage
  }
  await inputs.set(server, id, value)
  output.note(t`Kept for ${visibleLine(server)}, from its next start.`)
  return exitCodes.done
}

interface ListedSecret {
  readonly server: string
  readonly id: string
  readonly set: boolean
  readonly shared: boolean
  readonly from: string | null
  readonly description: string | null
}

const lineOf = ({ server, id, set, shared, from, description }: ListedSecret): string[] => [
  visibleLine(server),
  visibleLine(id),
  from === null ? (set ? t`kept` : t`missing`) : t`from ${from}`,
  shared ? t`shared` : '',
  visibleLine(description ?? ''),
]

async function readValue(server: string, id: string): Promise<string> {
  if (!process.stdin.isTTY) return readAll(process.stdin)
  const { createTerminalPrompt } = await import('../terminal-prompt.ts')
  const asker = createTerminalPrompt({
    input: process.stdin,
    output: process.stderr,
    hide: (hidden) => void process.stdin.setRawMode(hidden),
  })
  try {
    return (await asker.secret(`${t`${visibleLine(server)} needs ${visibleLine(id)} (not shown):`} `)) ?? ''
  } finally {
    asker.close()
  }
}
