// What is the operating system's, where there is no Electron: the page opens its own links and shows its own requests,
// and nobody can choose a folder or a file in a window that is not there.
import type { ShellView } from '#app/contract/snapshot.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'
import { spend } from '#main/consent/approved.ts'
import type { Platform, SecretStore } from '#main/platform.ts'
import { createSpeaker } from './languages.ts'
import { launchBuiltin } from './launch-builtin.ts'

export interface NodePlatformOptions {
  readonly kind: 'web' | 'cli'
  readonly secrets: SecretStore
  /** Default: the page that asked opens it. */
  readonly openUrl?: Platform['openUrl']
}

export const operatingSystem = (): ShellView['os'] =>
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
