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
const mendFile: FixOf = () => [t`Mend the file. Every server that it names correctly still runs.`, config]
const anotherFile: FixOf = () => [t`Choose another one. What is here was left as it is.`]
const wholeBundle: FixOf = () => [t`Ask whoever made the bundle for one that is whole.`]
const checkCommand: FixOf = () => [t`Check the command and folder of the server.`, server]
const readLog: FixOf = () => [t`Read its log, then start it again.`, server]
const checkAddress: FixOf = () => [t`Check the address and the network, then connect again.`, server]
const modelRetries: FixOf = () => [t`The model reads this and can try again.`]
const withoutApp: FixOf = () => [t`The result of the call is there without it.`]
const waitThenRetry: FixOf = (data) => [t`Wait ${waitOf(data)}, then try again.`, retry]
const anotherModel: FixOf = () => [t`Try again, or choose another model.`, retry]
const reload: FixOf = () => [t`Reload the page. It may be older than the app.`]

/** Fix of each error by its code; built on demand, since the language may change. */
export const errorFixes = {
  'config.unreadable': mendFile,
  'config.syntax': mendFile,
  'config.invalid': mendFile,
  'profile.newer': () => [t`Start the newer version of Assent, or choose another data folder. Nothing was changed.`],
  'profile.locked': () => [t`Close the other Assent that uses this data folder, or choose another one.`, retry],
  'profile.corrupt': () => [t`Put a copy from a backup in its place, or choose another data folder.`],
  'profile.unwritable': () => [t`Allow writing to the data folder, or choose another one.`, retry],
  'disk.full': () => [t`Free some space, then try again. What was kept before is safe.`, retry],
  'folder.not-found': () => [t`Check the path, or choose another folder.`],
  'environment.no-answer': () => [t`Open a terminal and see whether it starts as it should, then try again.`, retry],
  'import.unreadable': () => [
    t`Choose the file or the zip archive that Assent, Claude or ChatGPT exported, as it came. Nothing was kept of this one.`,
  ],
  'import.too-large': () => [t`Nothing more of it is read. If it is what it says it is, unpack it, and choose conversations.json.`],
  'backup.unreadable': anotherFile,
  'backup.foreign': anotherFile,
  'backup.too-large': () => [t`Free some space on the disk with the data folder, then choose it again.`],
  'backup.gone': () => [t`Choose the file again.`],
  'bundle.unreadable': wholeBundle,
  'bundle.manifest': wholeBundle,
  'bundle.too-large': () => [t`No bundle needs as much. Unpack it yourself if you know what it is, and add its server by its command.`],
  'bundle.gone': () => [t`Choose the file again.`],
  'bundle.not-downloaded': () => [
    t`Check the network, then try again. Its publisher may have it elsewhere too: then download it yourself, and choose the file.`,
    retry,
  ],
  'bundle.wrong-hash': () => [t`Do not install it from elsewhere either, before its publisher says which of the two is right.`],
  'bundle.values': () => [t`Correct the setting.`],
  'server.unknown': () => [t`It may have been removed or renamed. Look at the list of servers.`, server],
  'server.disabled': () => [t`Turn the server on.`, server],
  'server.refused': () => [t`Start the server and approve its command.`, server],
  'server.secret-missing': () => [t`Enter it on the page of the server. It is kept as a secret, never in the file.`, server],
  'server.command-not-found': checkCommand,
  'server.cwd-not-found': checkCommand,
  'server.spawn-failed': checkCommand,
  'server.sandbox-grant': () => [t`Correct what its sandbox may read, write and reach.`, server],
  'server.sandbox-missing': (data) => [typeof data?.['remedy'] === 'string' ? data['remedy'] : t`Run it without a sandbox.`, server],
  'server.sandbox-attempt': () => [t`Its permissions can be changed on its page.`, server],
  'server.package-changed': () => [t`Find out who changed it. To fetch it again, delete the folder that is named.`, server],
  'server.package-not-installed': () => [t`Check the network, then start it again.`, server],
  'server.crash-loop': () => [t`Read its log, then press “Try again” on its page. A call does not start it.`, server],
  'server.exited': readLog,
  'server.not-mcp': readLog,
  'server.list-failed': readLog,
  'server.protocol': readLog,
  'server.version-mismatch': readLog,
  'server.start-timeout': readLog,
  'server.unreachable': checkAddress,
  'server.http-status': checkAddress,
  'server.connection-lost': checkAddress,
  'server.sign-in-needed': () => [t`The server wants you to sign in first.`, server],
  'server.sign-in-refused': () => [t`You said no to the sign-in. Sign in on the page of the server when you want to.`, server],
  'server.sign-in-failed': () => [t`Sign in again. Its settings say how Assent is known there.`, server],
  'server.sign-in-timeout': () => [t`Sign in again, and finish in the browser.`, server],
  'server.too-large': () => [t`Ask for less at once.`],
  'server.not-offered': () => [t`Nothing was sent. A newer version of the server may offer it.`, server],
  'server.said-no': () => [t`Look at what it was asked for, then try again.`, retry],
  'server.stopped': () => [t`Start the server, then try again.`, server],
  'server.page-first': () => [t`Finish what the page asks for, then ask for it again.`],
  'registry.unreachable': () => [t`Check the network, and the address of the registry, then try again.`, retry],
  'registry.refused': (data) => [t`Wait ${waitOf(data)}, then try again.`, retry],
  'registry.bad-answer': () => [t`Check the address of the registry.`, retry],
  'tool.unknown': () => [t`The model reads this and can choose another tool.`],
  'call.not-recorded': () => [t`Save the messages again, on the page of the server.`],
  'tool.too-many': () => [t`The model reads this and can ask for the rest in its next answer.`],
  'tool.changed': () => [t`Look at what changed, then allow it anew.`, server],
  'tool.arguments-invalid': modelRetries,
  'tool.result-invalid': modelRetries,
  'tool.timeout': () => [t`It may still have run. Check before you try again, or allow more time in the settings.`],
  'tool.task-cancelled': () => [t`It may have had effects. The model reads this and can ask for it again.`],
  'tool.outcome-unknown': () => [t`Check what happened before you try again. It is never repeated by itself.`],
  'rule.unknown': () => [t`Make it anew the next time you are asked.`],
  'view.gone': () => [t`Show it again.`, retry],
  'view.unreadable': withoutApp,
  'view.too-large': withoutApp,
  'view.refused': nothing,
  'consent.denied': nothing,
  'consent.withdrawn': nothing,
  'consent.gone': nothing,
  'model.unknown': (data) =>
    typeof data?.['pull'] === 'string'
      ? [t`Pull it in the settings of the models, or choose another model.`, { kind: 'pull-model' }]
      : data?.['atHome'] === true
        ? [t`Load or pull it in ${String(data['endpoint'])}, then try again, or choose another model.`, retry]
        : [t`Check its name, or choose another model.`],
  'model.no-credit': () => [t`Add credit to the account, then try again, or choose another model.`, retry],
  'model.loading': waitThenRetry,
  'model.not-for-chat': () => [t`Choose another model.`],
  'model.other-api': () => [t`Choose another model.`],
  'model.without-tools': () => [t`Turn the tools off in this chat, or choose another model.`],
  'model.tool-use-failed': anotherModel,
  'model.region': () => [t`Choose a model of another provider.`],
  'model.not-allowed': () => [t`Check the settings of the account at the provider, or use another key.`, models],
  'model.key-missing': () => [t`Add a key, or choose a model that needs none.`, models],
  'model.key-refused': () => [t`Check the key in the settings.`, models],
  'model.rate-limited': waitThenRetry,
  'model.overloaded': waitThenRetry,
  'model.offline': () => [t`Check the network, then try again.`, retry],
  'model.endpoint-wrong': (data) =>
    typeof data?.['cause'] === 'string'
      ? [t`Check the address. A network that looks into connections needs its certificate authority installed on this computer.`, models]
      : [typeof data?.['field'] === 'string' ? t`Look it up in the provider’s console.` : t`Check the address of the endpoint.`, models],
  'model.too-long': (data) =>
    data?.['canGrow'] === true
      ? [
          t`Press “Models” beside Ollama in the settings, then “Change”, to load it with a larger context. Or press “Context” in the chat’s bar to make room.`,
          models,
        ]
      : [t`Press “Context” in the chat’s bar to make room, begin a new chat, or choose a model that reads more.`],
  'model.request-refused': anotherModel,
  'model.bad-answer': anotherModel,
  'model.server-error': anotherModel,
  'model.refused': () => [t`Say it differently, or choose another model.`],
  'chat.busy': () => [t`Wait for the answer, or stop it.`],
  'chat.unknown-conversation': () => [t`It may have been deleted. Choose another chat.`],
  'chat.unknown-message': () => [t`It may have been deleted, or stand in another branch. Look at the chat as it is now.`],
  'chat.nothing-to-resume': () => [t`Send a message to go on.`],
  'chat.nothing-to-undo': () => [t`Deleted chats can be brought back from “Recently deleted”.`],
  'chat.unknown-folder': () => [t`It may have been deleted. Choose another folder.`],
  'chat.nothing-to-compact': () => [t`Nothing was changed.`],
  'attachment.unsupported': nothing,
  'attachment.too-large': () => [t`Attach a part of it, or fewer at once.`],
  'attachment.too-many': () => [t`Send the others with the next one.`],
  'attachment.unknown': () => [t`Attach it again.`],
  'contract.invalid': reload,
  'contract.unknown-request': reload,
  'link.closed': () => [t`It connects again by itself.`],
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
