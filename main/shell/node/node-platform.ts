// The platform without Electron: the page opens links itself, and there is no picker.

import { dirname } from 'node:path'
import type { ShellSummary } from '#app/contract/snapshot.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { systemClock } from '#main/base/clock.ts'
import type { SecretStore } from '#main/base/secret-store.ts'
import { spend } from '#main/consent/approved.ts'
import type { Platform } from '#main/platform.ts'
import type { BuiltinLauncher } from '#main/servers/process/server-process.ts'
import { askSystemForProxy } from '#main/servers/transport/http/dispatchers.ts'
import { launchStdio } from '#main/servers/transport/stdio/stdio-process.ts'
import { createSpeaker } from './languages.ts'
import { nodeProxy } from './node-proxy.ts'
import { cliEntry, demoServerEntry } from './program-files.ts'

/** Variables that a Node child needs, and those by which tests control the demo server. No others are passed on. */
const passedOn = ['SystemRoot', 'TEMP', 'TMPDIR', 'LANG', 'NODE_COMPILE_CACHE', 'ASSENT_DEMO_STEP_MS']

/** The servers that ship with Assent, as Node children on this very Node. */
export const launchBuiltin: BuiltinLauncher = (_module, env, care) => {
  const ours = passedOn.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]] as const]))
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
  /** Default: the profile of whoever starts the program. */
  readonly profile?: { readonly dataDir: string; readonly isDefault: boolean }
  /** Default: the page that asked opens it. */
  readonly openUrl?: Platform['openUrl']
}

const operatingSystem = (): ShellSummary['os'] =>
  process.platform === 'darwin' ? 'mac' : process.platform === 'win32' ? 'windows' : 'linux'

const noPicker = (): Promise<never> =>
  Promise.reject(new HostError('platform.unavailable', t`There is no picker here. Type the path instead.`))

export function createNodePlatform({ kind, secrets, profile, openUrl }: NodePlatformOptions): Platform {
  askSystemForProxy(nodeProxy())
  return {
    shell: {
      kind,
      os: operatingSystem(),
      canChooseFolder: false,
      // A keyring that is opened late may turn out to be none.
      get secrets() {
        return secrets.kind
      },
    },
    secrets,
    commandLine: (command) => [
      process.execPath,
      cliEntry,
      command,
      ...(profile && !profile.isDefault ? ['--data-dir', profile.dataDir] : []),
    ],
    async openUrl(approval) {
      const approved = spend(approval)
      return openUrl ? openUrl(approved) : 'page'
    },
    chooseFolder: noPicker,
    chooseFile: noPicker,
    // The page or the terminal shows requests.
    notify: () => undefined,
    ...(kind === 'web' ? { speak: createSpeaker() } : {}),
    launchBuiltin,
  }
}
