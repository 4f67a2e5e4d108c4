// What is the operating system's, where there is no Electron: the page opens its own links and shows its own requests,
// and nobody can choose a folder or a file in a window that is not there.
import { dirname } from 'node:path'
import type { ShellSummary } from '#app/contract/snapshot.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { systemClock } from '#main/base/clock.ts'
import { spend } from '#main/consent/approved.ts'
import type { Platform, SecretStore } from '#main/platform.ts'
import type { BuiltinLauncher } from '#main/servers/process/server-process.ts'
import { launchStdio } from '#main/servers/transport/stdio/stdio-process.ts'
import { createSpeaker } from './languages.ts'
import { demoServerEntry } from './program-files.ts'

/** What a Node child needs of our environment, and what the tests tell the demo server. Nothing else of ours goes there. */
const passedOn = ['SystemRoot', 'TEMP', 'TMPDIR', 'LANG', 'ASSENT_DEMO_STEP_MS']

/** The servers that ship with Assent, as Node children on this very Node. */
export const launchBuiltin: BuiltinLauncher = (_module, env, care) => {
  const ours = passedOn.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return launchStdio({
    command: process.execPath,
    args: [demoServerEntry],
    env: { ...Object.fromEntries(ours), ...env },
    cwd: dirname(demoServerEntry),
    clock: systemClock,
    ...(care ? { watches: care.watches } : {}),
    ...(care?.grace ? { limits: { grace: care.grace } } : {}),
  })
}

interface NodePlatformOptions {
  readonly kind: 'web' | 'cli'
  readonly secrets: SecretStore
  /** Default: the page that asked opens it. */
  readonly openUrl?: Platform['openUrl']
}

const operatingSystem = (): ShellSummary['os'] =>
  process.platform === 'darwin' ? 'mac' : process.platform === 'win32' ? 'windows' : 'linux'

const noPicker = (): Promise<never> =>
  Promise.reject(new HostError('platform.unavailable', t`There is no picker here. Type the path instead.`))

export const createNodePlatform = ({ kind, secrets, openUrl }: NodePlatformOptions): Platform => ({
  shell: { kind, os: operatingSystem(), canChooseFolder: false, secrets: secrets.kind },
  secrets,
  async openUrl(approval) {
    const approved = spend(approval)
    return openUrl ? openUrl(approved) : 'page'
  },
  chooseFolder: noPicker,
  chooseFile: noPicker,
  // What waits is shown by the page, or asked on the terminal; the system is not told.
  notify: () => undefined,
  ...(kind === 'web' ? { speak: createSpeaker() } : {}),
  launchBuiltin,
})
