// What is the operating system's, as Electron offers it.
import { BrowserWindow, dialog, Notification, shell } from 'electron'
import { HostError } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'
import type { Log } from '#main/base/log.ts'
import { spend } from '#main/consent/approved.ts'
import type { Platform, SecretStore } from '#main/platform.ts'
import type { BuiltinLauncher } from '#main/servers/launch.ts'
import type { BrowserOpener } from '#main/shell/node/browser.ts'
import { openableUrl } from './address.ts'

export interface PlatformOptions {
  readonly os: NodeJS.Platform
  readonly secrets: SecretStore
  readonly launchBuiltin: BuiltinLauncher
  readonly speak: NonNullable<Platform['speak']>
  readonly log: Log
  /** Opens an address by a private file. Absent where no other account reads a program's arguments. */
  readonly browser: Pick<BrowserOpener, 'open'> | undefined
  readonly openWindow: () => void
  /** Brings a window to the front, and the conversation in it. */
  readonly showConversation: (conversationId: string | undefined) => void
}

async function choose(options: Electron.OpenDialogOptions): Promise<string | null> {
  const owner = BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0]
  const { canceled, filePaths } = await (owner ? dialog.showOpenDialog(owner, options) : dialog.showOpenDialog(options))
  return canceled ? null : (filePaths[0] ?? null)
}

export function createPlatform({
  os,
  secrets,
  launchBuiltin,
  speak,
  log,
  browser,
  openWindow,
  showConversation,
}: PlatformOptions): Platform {
  /** Kept until they are gone: a notification that is collected does not answer a click. */
  const shown = new Set<Notification>()
  return {
    shell: {
      kind: 'electron',
      os: os === 'darwin' ? 'mac' : os === 'win32' ? 'windows' : 'linux',
      canChooseFolder: true,
      // Known once the keyring has answered.
      get secrets() {
        return secrets.kind
      },
    },
    secrets,
    launchBuiltin,
    speak,
    openWindow,
    async openUrl(approval) {
      const url = openableUrl(spend(approval).url)
      if (url === undefined) throw new HostError('contract.invalid', t`Only http and https addresses without a password are opened.`)
      if ((await browser?.open(url)) !== 'opened') await shell.openExternal(url)
      return 'host'
    },
    chooseFolder: (title) => choose({ title, properties: ['openDirectory', 'createDirectory'] }),
    chooseFile: (title) => choose({ title, properties: ['openFile', 'showHiddenFiles'] }),
    notify({ title, body, conversationId }) {
      if (BrowserWindow.getFocusedWindow() !== null || !Notification.isSupported()) return
      const notification = new Notification({ title, body })
      shown.add(notification)
      const forget = (): void => void shown.delete(notification)
      notification.on('click', () => {
        forget()
        showConversation(conversationId)
      })
      notification.on('close', forget)
      notification.on('failed', (_event, error) => {
        forget()
        log.warn(`A notification was not shown: ${error}`)
      })
      notification.show()
    },
  }
}
