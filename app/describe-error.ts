// Describes an error to a person: its sentence, the fix, and an action if there is one.
import type { ErrorValue, HostErrorCode } from './errors.ts'
import { formatWait } from './i18n/format-dates.ts'
import { t } from './i18n/translate.ts'
import { assertNever, type JsonObject } from './json.ts'

export type ErrorAction =
  | { readonly kind: 'retry' }
  | { readonly kind: 'open-settings'; readonly tab: 'models' | 'general' }
  | { readonly kind: 'open-server' }
  | { readonly kind: 'edit-config' }

interface ErrorDescription {
  /** Event and cause, as a sentence. */
  readonly message: string
  /** Text of the server or provider, quoted, with hidden characters revealed. */
  readonly quote: string | undefined
  /** Fix as a sentence; empty when there is none. */
  readonly remedy: string
  readonly action: ErrorAction | undefined
}

const retry: ErrorAction = { kind: 'retry' }
const server: ErrorAction = { kind: 'open-server' }
const config: ErrorAction = { kind: 'edit-config' }
const models: ErrorAction = { kind: 'open-settings', tab: 'models' }

type NextStep = readonly [remedy: string, action?: ErrorAction]

/** The codes of some areas; the area is what stands before the dot. */
type CodeIn<Area extends string> = Extract<HostErrorCode, `${Area}.${string}`>

function isIn<Area extends string>(code: HostErrorCode, ...areas: readonly Area[]): code is CodeIn<Area> {
  return areas.some((area) => code.startsWith(`${area}.`))
}

/** Names what to do about an error, by the area of its code. */
function nextStep({ code, data }: ErrorValue): NextStep {
  if (isIn(code, 'config', 'profile', 'disk', 'folder', 'environment')) return profileStep(code)
  if (isIn(code, 'import', 'backup')) return transferStep(code)
  if (isIn(code, 'bundle')) return bundleStep(code)
  if (isIn(code, 'server')) return serverStep(code)
  if (isIn(code, 'registry')) return registryStep(code, data)
  if (isIn(code, 'tool', 'call', 'rule', 'view', 'consent')) return callStep(code)
  if (isIn(code, 'model')) return modelStep(code, data)
  if (isIn(code, 'chat', 'attachment')) return chatStep(code)
  return appStep(code)
}

function profileStep(code: CodeIn<'config' | 'profile' | 'disk' | 'folder' | 'environment'>): NextStep {
  switch (code) {
    case 'config.unreadable':
    case 'config.syntax':
    case 'config.invalid':
      return [t`Mend the file. Every server that it names correctly still runs.`, config]
    case 'profile.newer':
      return [t`Start the newer version of Assent, or choose another data folder. Nothing was changed.`]
    case 'profile.locked':
      return [t`Close the other Assent that uses this data folder, or choose another one.`, retry]
    case 'profile.corrupt':
      return [t`Put a copy from a backup in its place, or choose another data folder.`]
    case 'profile.unwritable':
      return [t`Allow writing to the data folder, or choose another one.`, retry]
    case 'disk.full':
      return [t`Free some space, then try again. What was kept before is safe.`, retry]
    case 'folder.not-found':
      return [t`Check the path, or choose another folder.`]
    case 'environment.no-answer':
      return [t`Open a terminal and see whether it starts as it should, then try again.`, retry]
    default:
      return assertNever(code)
  }
}

function transferStep(code: CodeIn<'import' | 'backup'>): NextStep {
  switch (code) {
    case 'import.unreadable':
      return [t`Choose the file or the zip archive that Assent, Claude or ChatGPT exported, as it came. Nothing was kept of this one.`]
    case 'import.too-large':
      return [t`Nothing more of it is read. If it is what it says it is, unpack it, and choose conversations.json.`]
    case 'backup.unreadable':
    case 'backup.foreign':
      return [t`Choose another one. What is here was left as it is.`]
    case 'backup.too-large':
      return [t`Free some space on the disk with the data folder, then choose it again.`]
    case 'backup.gone':
      return [t`Choose the file again.`]
    default:
      return assertNever(code)
  }
}

function bundleStep(code: CodeIn<'bundle'>): NextStep {
  switch (code) {
    case 'bundle.unreadable':
    case 'bundle.manifest':
      return [t`Ask whoever made the bundle for one that is whole.`]
    case 'bundle.too-large':
      return [t`No bundle needs as much. Unpack it yourself if you know what it is, and add its server by its command.`]
    case 'bundle.gone':
      return [t`Choose the file again.`]
    case 'bundle.not-downloaded':
      return [
        t`Check the network, then try again. Its publisher may have it elsewhere too: then download it yourself, and choose the file.`,
        retry,
      ]
    case 'bundle.wrong-hash':
      return [t`Do not install it from elsewhere either, before its publisher says which of the two is right.`]
    case 'bundle.values':
      return [t`Correct the setting.`]
    default:
      return assertNever(code)
  }
}

function serverStep(code: CodeIn<'server'>): NextStep {
  switch (code) {
    case 'server.unknown':
      return [t`It may have been removed or renamed. Look at the list of servers.`, server]
    case 'server.disabled':
      return [t`Turn the server on.`, server]
    case 'server.refused':
      return [t`Start the server and approve its command.`, server]
    case 'server.secret-missing':
      return [t`Enter it on the page of the server. It is kept as a secret, never in the file.`, server]
    case 'server.command-not-found':
    case 'server.cwd-not-found':
    case 'server.spawn-failed':
      return [t`Check the command and folder of the server.`, server]
    case 'server.crash-loop':
      return [t`Read its log, then press “Try again” on its page. A call does not start it.`, server]
    case 'server.exited':
    case 'server.not-mcp':
    case 'server.list-failed':
    case 'server.protocol':
    case 'server.version-mismatch':
    case 'server.start-timeout':
      return [t`Read its log, then start it again.`, server]
    case 'server.unreachable':
    case 'server.http-status':
    case 'server.connection-lost':
      return [t`Check the address and the network, then connect again.`, server]
    case 'server.sign-in-needed':
      return [t`The server wants you to sign in first.`, server]
    case 'server.sign-in-refused':
      return [t`You said no to the sign-in. Sign in on the page of the server when you want to.`, server]
    case 'server.sign-in-failed':
      return [t`Sign in again. Its settings say how Assent is known there.`, server]
    case 'server.sign-in-timeout':
      return [t`Sign in again, and finish in the browser.`, server]
    case 'server.too-large':
      return [t`Ask for less at once.`]
    case 'server.not-offered':
      return [t`Nothing was sent. A newer version of the server may offer it.`, server]
    case 'server.said-no':
      return [t`Look at what it was asked for, then try again.`, retry]
    case 'server.stopped':
      return [t`Start the server, then try again.`, server]
    case 'server.page-first':
      return [t`Finish what the page asks for, then ask for it again.`]
    default:
      return assertNever(code)
  }
}

function registryStep(code: CodeIn<'registry'>, data: JsonObject | undefined): NextStep {
  switch (code) {
    case 'registry.unreachable':
      return [t`Check the network, and the address of the registry, then try again.`, retry]
    case 'registry.refused':
      return [t`Wait ${waitOf(data)}, then try again.`, retry]
    case 'registry.bad-answer':
      return [t`Check the address of the registry.`, retry]
    default:
      return assertNever(code)
  }
}

function callStep(code: CodeIn<'tool' | 'call' | 'rule' | 'view' | 'consent'>): NextStep {
  switch (code) {
    case 'tool.unknown':
      return [t`The model reads this and can choose another tool.`]
    case 'call.not-recorded':
      return [t`Save the messages again, on the page of the server.`]
    case 'tool.too-many':
      return [t`The model reads this and can ask for the rest in its next answer.`]
    case 'tool.changed':
      return [t`Look at what changed, then allow it anew.`, server]
    case 'tool.arguments-invalid':
    case 'tool.result-invalid':
      return [t`The model reads this and can try again.`]
    case 'tool.timeout':
      return [t`It may still have run. Check before you try again, or allow more time in the settings.`]
    case 'tool.task-cancelled':
      return [t`It may have had effects. The model reads this and can ask for it again.`]
    case 'tool.outcome-unknown':
      return [t`Check what happened before you try again. It is never repeated by itself.`]
    case 'rule.unknown':
      return [t`Make it anew the next time you are asked.`]
    case 'view.gone':
      return [t`Show it again.`, retry]
    case 'view.unreadable':
    case 'view.too-large':
      return [t`The result of the call is there without it.`]
    case 'view.refused':
    case 'consent.denied':
    case 'consent.withdrawn':
    case 'consent.gone':
      return ['']
    default:
      return assertNever(code)
  }
}

function modelStep(code: CodeIn<'model'>, data: JsonObject | undefined): NextStep {
  switch (code) {
    case 'model.unknown':
      return typeof data?.['endpoint'] === 'string'
        ? [t`Load or pull it in ${data['endpoint']}, then try again, or choose another model.`, retry]
        : [t`Choose another model.`, models]
    case 'model.key-missing':
      return [t`Add a key, or choose a model that needs none.`, models]
    case 'model.key-refused':
      return [t`Check the key in the settings.`, models]
    case 'model.rate-limited':
    case 'model.overloaded':
      return [t`Wait ${waitOf(data)}, then try again.`, retry]
    case 'model.offline':
      return [t`Check the network, then try again.`, retry]
    case 'model.endpoint-wrong':
      return typeof data?.['cause'] === 'string'
        ? [t`Check the address. A network that looks into connections needs its certificate authority installed on this computer.`, models]
        : [t`Check the address of the endpoint.`, models]
    case 'model.too-long':
      return [t`Press “Context” in the chat’s bar to make room, begin a new chat, or choose a model that reads more.`]
    case 'model.request-refused':
    case 'model.bad-answer':
    case 'model.server-error':
      return [t`Try again, or choose another model.`, retry]
    case 'model.refused':
      return [t`Say it differently, or choose another model.`]
    default:
      return assertNever(code)
  }
}

function chatStep(code: CodeIn<'chat' | 'attachment'>): NextStep {
  switch (code) {
    case 'chat.busy':
      return [t`Wait for the answer, or stop it.`]
    case 'chat.unknown-conversation':
      return [t`It may have been deleted. Choose another chat.`]
    case 'chat.unknown-message':
      return [t`It may have been deleted, or stand in another branch. Look at the chat as it is now.`]
    case 'chat.nothing-to-resume':
      return [t`Send a message to go on.`]
    case 'chat.nothing-to-undo':
      return [t`Deleted chats can be brought back from “Recently deleted”.`]
    case 'chat.unknown-folder':
      return [t`It may have been deleted. Choose another folder.`]
    case 'chat.nothing-to-compact':
      return [t`Nothing was changed.`]
    case 'attachment.unsupported':
      return ['']
    case 'attachment.too-large':
      return [t`Attach a part of it, or fewer at once.`]
    case 'attachment.too-many':
      return [t`Send the others with the next one.`]
    case 'attachment.unknown':
      return [t`Attach it again.`]
    default:
      return assertNever(code)
  }
}

/** Next step after an error of the app itself: its page, its shell, its keyring. */
function appStep(code: CodeIn<'contract' | 'link' | 'port' | 'platform' | 'blob' | 'secrets'> | 'cancelled' | 'internal'): NextStep {
  switch (code) {
    case 'contract.invalid':
    case 'contract.unknown-request':
      return [t`Reload the page. It may be older than the app.`]
    case 'link.closed':
      return [t`It connects again by itself.`]
    case 'port.in-use':
      return [t`Choose another port.`]
    case 'platform.unavailable':
    case 'blob.unknown':
    case 'cancelled':
      return ['']
    case 'secrets.unavailable':
      return [t`Unlock the keyring, then try again.`, retry]
    case 'internal':
      return [t`Try again.`, retry]
    default:
      return assertNever(code)
  }
}

/** Delay that the API requested, in words. */
function waitOf(data: JsonObject | undefined): string {
  const asked = data?.['retryAfterMs']
  return typeof asked === 'number' && asked > 0 ? formatWait(asked) : t`a moment`
}

const QUOTED = 300

/** Codes whose cause is in the other side's text. */
const quoted: ReadonlySet<string> = new Set(['model.request-refused', 'model.server-error', 'model.unknown', 'server.said-no'])

function quoteOf({ code, data }: ErrorValue): string | undefined {
  const detail = data?.['detail']
  if (!quoted.has(code) || typeof detail !== 'string') return undefined
  const words = detail.trim()
  if (words === '') return undefined
  return words.length > QUOTED ? `${words.slice(0, QUOTED - 1).toWellFormed()}…` : words
}

export function describeError(error: ErrorValue): ErrorDescription {
  const [remedy, action] = nextStep(error)
  return { message: error.message, quote: quoteOf(error), remedy, action }
}
