// What a page needs when it connects; events after `revision` update it.
import { z } from 'zod'
import { chatFolder } from '../chat/chat-folder.ts'
import { conversation, sectionReach } from '../chat/conversation.ts'
import { draftExtras } from '../chat/drafts.ts'
import { overdueCall } from '../chat/overdue-call.ts'
import { personalLists } from '../chat/personal.ts'
import { consentRequest } from '../consent/request.ts'
import { rule } from '../consent/rules/rule.ts'
import { modelInfo, modelPull, providerSummary } from '../models/models.ts'
import { profileNotice } from '../profile-notice.ts'
import { serverSummary } from '../server/server-summary.ts'
import { settings } from '../settings.ts'
import { signedKeyPlace } from '../signed-state.ts'
import { deepLinkItem } from './bundle-requests.ts'

const shellSummary = z.object({
  kind: z.enum(['electron', 'web', 'cli']),
  os: z.enum(['mac', 'windows', 'linux']),
  canChooseFolder: z.boolean(),
  secrets: z.enum(['keyring', 'memory']),
  /** Place of the key that signs permissions. */
  signedBy: signedKeyPlace.optional(),
})
export type ShellSummary = z.infer<typeof shellSummary>

export const snapshot = z.object({
  /** Id of this run of the host; revisions of other epochs do not compare. */
  epoch: z.string(),
  revision: z.number().int(),
  version: z.string(),
  dataDir: z.string(),
  shell: shellSummary,
  servers: z.array(serverSummary),
  /** Conversations, newest first: the beginning of each section, and those at work or waiting. Others are fetched. */
  conversations: z.array(conversation),
  /** Loaded part of each section. */
  sections: z.record(z.string(), sectionReach),
  chatFolders: z.array(chatFolder),
  personal: personalLists,
  /** Oldest first. */
  consentRequests: z.array(consentRequest),
  /** Overdue calls, in the order in which they became so. */
  overdueCalls: z.array(overdueCall),
  rules: z.array(rule),
  models: z.array(modelInfo),
  providers: z.array(providerSummary),
  /** Downloads of models by Ollama. */
  pulls: z.array(modelPull),
  settings,
  notices: z.array(profileNotice),
  /** Drafts by owner (`draftKey`): a conversation's id, '' for a new chat, or an edited message. */
  drafts: z.record(z.string(), z.string()),
  /** Other content of composers, by conversation; '': a new chat. */
  draftExtras: z.record(z.string(), draftExtras).optional(),
  /** Deep links and opened files that wait. */
  outside: z.array(deepLinkItem).optional(),
})
export type Snapshot = z.infer<typeof snapshot>
