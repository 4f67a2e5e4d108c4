// The codes of the host's errors, and what a person can do about each. A new error is one entry here.
import { formatWait } from './i18n/format-dates.ts'
import { t } from './i18n/translate.ts'
import type { JsonObject } from './json.ts'

export type ErrorAction =
  | { readonly kind: 'retry' }
  /** The settings of the models, with the form that pulls the model of `data.pull`. */
  | { readonly kind: 'pull-model' }
  | { readonly kind: 'open-settings'; readonly tab: 'models' | 'general' }
  | { readonly kind: 'open-server' }
  | { readonly kind: 'edit-config' }

const retry: ErrorAction = { kind: 'retry' }
const server: ErrorAction = { kind: 'open-server' }
const config: ErrorAction = { kind: 'edit-config' }
const models: ErrorAction = { kind: 'open-settings', tab: 'models' }

export type FixOf = (data: JsonObject | undefined) => readonly [remedy: string, action?: ErrorAction]

const nothing: FixOf = () => ['']
const mendFile: FixOf = () => [t`Correct the file.`, config]
const anotherOne: FixOf = () => [t`Choose another one.`]
const checkCommand: FixOf = () => [t`Check the command and folder of the server.`, server]
const readLog: FixOf = () => [t`Read its log, then try again.`, server]
const checkAddress: FixOf = () => [t`Check the address and the network.`, server]
const waitThenRetry: FixOf = (data) => [t`Wait ${waitOf(data)}, then try again.`, retry]
const anotherModel: FixOf = () => [t`Try again, or choose another model.`, retry]
const otherFolder: FixOf = () => [t`Name a folder with --data-dir.`]
const reload: FixOf = () => [t`Reload the page.`]

/** Fix of each error by its code; built on demand, since the language may change. */
export const errorFixes = {
  'config.unreadable': mendFile,
  'config.syntax': mendFile,
  'config.invalid': mendFile,
  'profile.two': otherFolder,
  'profile.shared': otherFolder,
  'profile.missing': otherFolder,
  'app-file.refused': nothing,
  'profile.newer': () => [t`Update Assent, or choose another data folder.`],
  'profile.locked': () => [t`Close the other Assent, or choose another data folder.`, retry],
  'profile.corrupt': () => [t`Restore a backup, or choose another data folder.`],
  'profile.unwritable': () => [t`Allow writing to the data folder, or choose another one.`, retry],
  'disk.full': () => [t`Free some disk space, then try again.`, retry],
  'update.busy': () => [t`Wait for the answer, or stop it.`],
  'update.failed': () => [t`Check the network, then try again.`, retry],
  'update.refused': () => [t`Try again.`, retry],
  'folder.not-found': anotherOne,
  'environment.no-answer': () => [t`Try again.`, retry],
  'import.unreadable': () => [t`Choose a file that Assent, Claude or ChatGPT exported.`],
  'import.too-large': () => [t`Unpack it, and choose conversations.json.`],
  'backup.unreadable': anotherOne,
  'backup.foreign': anotherOne,
  'backup.too-large': () => [t`Free some disk space, then try again.`],
  'backup.gone': () => [t`Choose it again.`],
  'bundle.unreadable': anotherOne,
  'bundle.manifest': anotherOne,
  'bundle.too-large': anotherOne,
  'bundle.gone': () => [t`Choose it again.`],
  'bundle.not-downloaded': () => [t`Check the network, then try again.`, retry],
  'bundle.wrong-hash': () => [t`Do not install this bundle.`],
  'bundle.values': () => [t`Correct the value.`],
  'server.unknown': () => [t`Choose another one.`, server],
  'server.disabled': () => [t`Turn the server on.`, server],
  'server.refused': () => [t`Start the server, then try again.`, server],
  'server.secret-missing': () => [t`Enter it on the server's page.`, server],
  'server.command-not-found': checkCommand,
  'server.cwd-not-found': checkCommand,
  'server.spawn-failed': checkCommand,
  'server.sandbox-grant': () => [t`Change its permissions.`, server],
  'server.sandbox-missing': (data) => [typeof data?.['remedy'] === 'string' ? data['remedy'] : t`Run it without a sandbox.`, server],
  'server.sandbox-attempt': () => [t`Change its permissions.`, server],
  'server.package-changed': () => [t`Delete the folder to install it again.`, server],
  'server.package-not-installed': () => [t`Check the network, then try again.`, server],
  'server.crash-loop': () => [t`Read its log, then try again.`, server],
  'server.exited': readLog,
  'server.not-mcp': readLog,
  'server.list-failed': readLog,
  'server.protocol': readLog,
  'server.version-mismatch': readLog,
  'server.start-timeout': readLog,
  'server.unreachable': checkAddress,
  'server.http-status': checkAddress,
  'server.connection-lost': checkAddress,
  'server.sign-in-needed': () => [t`Sign in on the server's page.`, server],
  'server.sign-in-refused': () => [t`Sign in on the server's page.`, server],
  'server.sign-in-failed': () => [t`Sign in on the server's page.`, server],
  'server.sign-in-timeout': () => [t`Sign in on the server's page.`, server],
  'server.too-large': () => [t`Ask for less at once.`],
  'server.not-offered': () => [t`Update the server.`, server],
  'server.said-no': () => [t`Try again.`, retry],
  'server.stopped': () => [t`Start the server, then try again.`, server],
  'server.page-first': () => [t`Finish the step on the page, then try again.`],
  'registry.unreachable': () => [t`Check the network, then try again.`, retry],
  'registry.refused': waitThenRetry,
  'registry.bad-answer': () => [t`Check the address and the network.`, retry],
  'tool.unknown': nothing,
  'call.not-recorded': anotherOne,
  'tool.too-many': nothing,
  'tool.changed': () => [t`Review the change on the server's page.`, server],
  'tool.arguments-invalid': nothing,
  'tool.result-invalid': nothing,
  'tool.timeout': () => [t`It may still have run. Check before you try again.`],
  'tool.task-cancelled': () => [t`It may still have run. Check before you try again.`],
  'tool.outcome-unknown': () => [t`It may still have run. Check before you try again.`],
  'rule.unknown': () => [t`Reload the page.`],
  'view.gone': () => [t`Try again.`, retry],
  'view.unreadable': nothing,
  'view.too-large': nothing,
  'view.refused': nothing,
  'consent.denied': nothing,
  'consent.withdrawn': nothing,
  'consent.gone': nothing,
  'gate.refused': () => [t`Set the agent up again in Assent, under Other apps.`],
  'model.unknown': (data) =>
    typeof data?.['pull'] === 'string'
      ? [t`Pull it, or choose another model.`, { kind: 'pull-model' }]
      : data?.['atHome'] === true
        ? [t`Load it in ${String(data['endpoint'])}, or choose another model.`, retry]
        : [data?.['provider'] === undefined ? t`Choose another model.` : ''],
  'model.no-credit': () => [t`Add credit, or choose another model.`, retry],
  'model.loading': waitThenRetry,
  'model.not-for-chat': () => [t`Choose another model.`],
  'model.other-api': () => [t`Choose another model.`],
  'model.without-tools': () => [t`Choose another model, or turn tools off in this chat.`],
  'model.tool-use-failed': anotherModel,
  'model.region': () => [t`Choose another model.`],
  'model.not-allowed': () => [t`Check the account at the provider, or use another key.`, models],
  'model.key-missing': () => [t`Add a key, or choose another model.`, models],
  'model.key-refused': () => [t`Check it in Settings.`, models],
  'model.rate-limited': waitThenRetry,
  'model.overloaded': waitThenRetry,
  'model.offline': () => [t`Check the network, then try again.`, retry],
  'model.endpoint-wrong': (data) =>
    typeof data?.['cause'] === 'string'
      ? [t`Check the address, or install your network's certificate authority.`, models]
      : [t`Check it in Settings.`, models],
  'model.too-long': (data) =>
    data?.['canGrow'] === true
      ? [t`Set a larger context in Settings, or make room under “Context”.`, models]
      : [t`Make room under “Context”, or choose another model.`],
  'model.request-refused': anotherModel,
  'model.bad-answer': anotherModel,
  'model.server-error': anotherModel,
  'model.refused': () => [t`Try again, or choose another model.`],
  'chat.busy': () => [t`Wait for the answer, or stop it.`],
  'chat.unknown-conversation': anotherOne,
  'chat.unknown-message': () => [t`Reload the page.`],
  'chat.nothing-to-resume': () => [t`Send a message to go on.`],
  'chat.nothing-to-undo': nothing,
  'chat.unknown-folder': anotherOne,
  'chat.nothing-to-compact': nothing,
  'attachment.unsupported': nothing,
  'attachment.too-large': () => [t`Attach a part of it.`],
  'attachment.too-many': nothing,
  'attachment.unknown': () => [t`Choose it again.`],
  'contract.invalid': reload,
  'contract.unknown-request': reload,
  'link.closed': nothing,
  'port.in-use': () => [t`Choose another port.`],
  'platform.unavailable': nothing,
  'blob.unknown': nothing,
  cancelled: nothing,
  'secrets.unavailable': () => [t`Unlock the keyring, then try again.`, retry],
  internal: () => [t`Try again.`, retry],
} as const satisfies Readonly<Record<string, FixOf>>

/** Delay that the API requested, in words. */
function waitOf(data: JsonObject | undefined): string {
  const asked = data?.['retryAfterMs']
  return typeof asked === 'number' && asked > 0 ? formatWait(asked) : t`a moment`
}
