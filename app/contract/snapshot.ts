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
import { request } from './request-schema.ts'

const shellSummary = z.object({
  kind: z.enum(['electron', 'web', 'cli']),
  os: z.enum(['mac', 'windows', 'linux']),
  canChooseFolder: z.boolean(),
  secrets: z.enum(['keyring', 'memory']),
  /** Place of the key that signs permissions. */
  signedBy: signedKeyPlace.optional(),
})
export type ShellSummary = z.infer<typeof shellSummary>

/** Something of the desktop app that ended or hung; `at` in milliseconds since 1970. */
export const failure = z.object({
  kind: z.enum(['host', 'page', 'process', 'hang']),
  detail: z.string(),
  version: z.string(),
  at: z.number(),
})
export type Failure = z.infer<typeof failure>

/** Abilities of the desktop app on this computer, and what failed in it. */
const desktopState = z.object({
  /** Whether the desktop shows tray icons. */
  tray: z.boolean(),
  /** State of the quick entry's keys. `asked`: the desktop decides, and does not tell. */
  keys: z.enum(['off', 'on', 'taken', 'asked']),
  /** Failures, oldest first. */
  failures: z.array(failure),
  /** Folder of the list and of Chromium's reports. */
  folder: z.string(),
})
export type DesktopState = z.infer<typeof desktopState>

export const desktopRequests = {
  /** State of the desktop app. @throws {HostError} `platform.unavailable` in other shells */
  'app.desktop': request({}, desktopState),
  /** Hides the window of the quick entry, whose page cannot: `window.close` would end it. */
  'app.hideQuickEntry': request(),
  /** Pastes into the quick entry as the system's keys do, right after a press of the person in it; else it does nothing. */
  'app.pasteQuickEntry': request(),
  /** Shows the folder of crash reports in the system's file manager. */
  'app.showCrashes': request(),
}

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
