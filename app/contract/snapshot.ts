// All that a page needs to show itself when it connects; events after `revision` bring it up to date.
import { z } from 'zod'
import { chatFolder } from '../chat/chat-folder.ts'
import { conversation, sectionReach } from '../chat/conversation.ts'
import { draftExtras } from '../chat/drafts.ts'
import { overdueCall } from '../chat/overdue-call.ts'
import { consentRequest } from '../consent/request.ts'
import { rule } from '../consent/rules/rule.ts'
import { modelInfo, providerSummary } from '../models/models.ts'
import { profileNotice } from '../profile-notice.ts'
import { serverSummary } from '../server/server-summary.ts'
import { settings } from '../settings.ts'
import { deepLinkItem } from './bundle-requests.ts'

const shellSummary = z.object({
  kind: z.enum(['electron', 'web', 'cli']),
  os: z.enum(['mac', 'windows', 'linux']),
  canChooseFolder: z.boolean(),
  secrets: z.enum(['keyring', 'memory']),
})
export type ShellSummary = z.infer<typeof shellSummary>

export const snapshot = z.object({
  /** Changes with each start of the host: revisions of another epoch do not compare. */
  epoch: z.string(),
  revision: z.number().int(),
  version: z.string(),
  dataDir: z.string(),
  shell: shellSummary,
  servers: z.array(serverSummary),
  /** Newest first: the beginning of each shelf in `shelves`, and whatever is at work or asks. Others are fetched. */
  conversations: z.array(conversation),
  /** By name, how far these reach. */
  shelves: z.record(z.string(), sectionReach),
  chatFolders: z.array(chatFolder),
  /** Oldest first. */
  consentRequests: z.array(consentRequest),
  /** Calls that the person may wait for or end, in the order in which they fell silent. */
  overdueCalls: z.array(overdueCall),
  rules: z.array(rule),
  models: z.array(modelInfo),
  providers: z.array(providerSummary),
  settings,
  notices: z.array(profileNotice),
  /** By whose they are (`draftKey`): a conversation's id, '' for a new chat, or of a message that is being put otherwise. */
  drafts: z.record(z.string(), z.string()),
  /** What else stands in composers, by conversation; '': a new chat's. */
  draftExtras: z.record(z.string(), draftExtras).optional(),
  /** Links and opened files that wait to be looked at. */
  outside: z.array(deepLinkItem).optional(),
})
export type Snapshot = z.infer<typeof snapshot>
