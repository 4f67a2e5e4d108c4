// From a name and untrusted params to a result: parsed by the contract on entry, and (`check`, in tests) on the way out.
import type { z } from 'zod'
import { type RequestName, requests } from '#app/contract/requests.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'
import { appRequests } from './app.ts'
import { attachmentRequests } from './attachment.ts'
import { auditRequests } from './audit.ts'
import { backupRequests } from './backup.ts'
import { blobRequests } from './blob.ts'
import { bundleRequests } from './bundle.ts'
import { chatRequests } from './chat.ts'
import { chatFolderRequests } from './chat-folder.ts'
import { configRequests } from './config.ts'
import { consentRequests } from './consent.ts'
import { conversationRequests } from './conversation.ts'
import { folderRequests } from './folder.ts'
import type { Handlers, HostParts } from './handlers.ts'
import { historyRequests } from './history.ts'
import { messageRequests } from './message.ts'
import { modelRequests } from './models.ts'
import { offerRequests } from './offer.ts'
import { registryRequests } from './registry.ts'
import { searchRequests } from './search.ts'
import { serverRequests } from './server.ts'
import { settingsRequests } from './settings.ts'
import { takeoverRequests } from './takeover.ts'
import { toolRequests } from './tool.ts'
import { transferRequests } from './transfer.ts'
import { usageRequests } from './usage.ts'
import { viewRequests } from './view.ts'

export const allHandlers = (host: HostParts): Handlers => ({
  ...appRequests(host),
  ...blobRequests(host),
  ...bundleRequests(host),
  ...attachmentRequests(host),
  ...auditRequests(host),
  ...backupRequests(host),
  ...chatRequests(host),
  ...chatFolderRequests(host),
  ...configRequests(host),
  ...consentRequests(host),
  ...conversationRequests(host),
  ...folderRequests(host),
  ...messageRequests(host),
  ...historyRequests(host),
  ...modelRequests(host),
  ...offerRequests(host),
  ...registryRequests(host),
  ...searchRequests(host),
  ...serverRequests(host),
  ...settingsRequests(host),
  ...takeoverRequests(host),
  ...toolRequests(host),
  ...usageRequests(host),
  ...transferRequests(host),
  ...viewRequests(host),
})

interface Issues {
  readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]
}

/** Names the field, and never repeats its value: it may be a secret. */
export function contractError(what: string, error: Issues): HostError {
  const issue = error.issues[0]
  const field = (issue?.path ?? []).map(String).join('.')
  const why = issue?.message ?? 'invalid'
  const message = field === '' ? t`${what}: its parameters do not fit (${why}).` : t`${what}: “${field}” does not fit (${why}).`
  return new HostError('contract.invalid', message, { data: { request: what, field } })
}

export const isRequestName = (name: string): name is RequestName => Object.hasOwn(requests, name)

export type Dispatch = (name: string, params: unknown) => Promise<unknown>

export function createDispatch(handlers: Handlers, options: { readonly check: boolean }): Dispatch {
  return async (name, params) => {
    if (!isRequestName(name)) throw new HostError('contract.unknown-request', t`The host knows no request “${name.slice(0, 100)}”.`)
    const parsed = requests[name].params.safeParse(params)
    if (!parsed.success) throw contractError(name, parsed.error)
    // The map's own type ties each name to its params; a union of names loses that tie.
    const handler = handlers[name] as (params: unknown) => unknown
    const result = await handler(parsed.data)
    if (!options.check) return result
    // The union of all their types is too much for the compiler; here it is one schema like any other.
    const schema: z.ZodType = requests[name].result
    const checked = schema.safeParse(result)
    if (!checked.success) throw contractError(`${name}, result`, checked.error)
    return result
  }
}
