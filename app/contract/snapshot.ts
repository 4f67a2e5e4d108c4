// All that a page needs to show itself when it connects; events after `revision` bring it up to date.
import { z } from 'zod'
import { chatFolder } from '../chat/chat-folder.ts'
import { conversation } from '../chat/conversation.ts'
import { draftExtras } from '../chat/draft-extras.ts'
import { modelInfo, providerView } from '../chat/models.ts'
import { overdueCall } from '../chat/overdue.ts'
import { shelfReach } from '../chat/shelf.ts'
import { consentRequest } from '../consent/request.ts'
import { rule } from '../consent/rule.ts'
import { notice } from '../notice.ts'
import { serverView } from '../server/view.ts'
import { settings } from '../settings.ts'
import { outsideItem } from './bundle.ts'

export const shellView = z.object({
  kind: z.enum(['electron', 'web', 'cli']),
  os: z.enum(['mac', 'windows', 'linux']),
  canChooseFolder: z.boolean(),
  secrets: z.enum(['keyring', 'memory']),
})
export type ShellView = z.infer<typeof shellView>

export const snapshot = z.object({
  /** Changes with each start of the host: revisions of another epoch do not compare. */
  epoch: z.string(),
  revision: z.number().int(),
  version: z.string(),
  dataDir: z.string(),
  shell: shellView,
  servers: z.array(serverView),
  /** Newest first: the beginning of each shelf in `shelves`, and whatever is at work or asks. Others are fetched. */
  conversations: z.array(conversation),
  /** By name, how far these reach. */
  shelves: z.record(z.string(), shelfReach),
  chatFolders: z.array(chatFolder),
  /** Oldest first. */
  consentRequests: z.array(consentRequest),
  /** Calls that the person may wait for or end, in the order in which they fell silent. */
  overdueCalls: z.array(overdueCall),
  rules: z.array(rule),
  models: z.array(modelInfo),
  providers: z.array(providerView),
  settings,
  notices: z.array(notice),
  /** By whose they are (`draftKey`): a conversation's id, '' for a new chat, or of a message that is being put otherwise. */
  drafts: z.record(z.string(), z.string()),
  /** What else stands in composers, by conversation; '': a new chat's. */
  draftExtras: z.record(z.string(), draftExtras).optional(),
  /** Links and opened files that wait to be looked at. */
  outside: z.array(outsideItem).optional(),
})
export type Snapshot = z.infer<typeof snapshot>
