// Events that the host sends to every page. Each carries the host's revision; a page drops those up to its snapshot's.
import { z } from 'zod'
import { chatFolder } from '../chat/chat-folder.ts'
import { conversation } from '../chat/conversation.ts'
import { draftExtras } from '../chat/drafts.ts'
import { message, toolCallState } from '../chat/message.ts'
import { overdueCall } from '../chat/overdue-call.ts'
import { personalLists } from '../chat/personal.ts'
import { manualRun } from '../chat/tools/manual-run.ts'
import { consentRequest } from '../consent/request.ts'
import { consentEnd } from '../consent/request-ending.ts'
import { rule } from '../consent/rules/rule.ts'
import { gateClientSummary } from '../gate.ts'
import { json } from '../json-schemas.ts'
import { modelInfo, modelPull, providerSummary } from '../models/models.ts'
import { profileNotice } from '../profile-notice.ts'
import { sandboxAttempt } from '../server/sandbox/sandbox-report.ts'
import { logLine } from '../server/server-state.ts'
import { serverSummary } from '../server/server-summary.ts'
import { settings } from '../settings.ts'
import { deepLinkItem } from './bundle-requests.ts'

const ofMessage = { conversationId: z.string(), messageId: z.string() }

export const events = {
  /** A model request changed the usage: an open report is fetched again. */
  'usage.changed': z.object({}),

  'deepLinks.changed': z.object({ items: z.array(deepLinkItem) }),

  /** Bytes of a download so far. At most every 100 ms. */
  'bundle.downloading': z.object({ download: z.string(), bytes: z.number().int(), total: z.number().int().optional() }),

  'server.changed': z.object({ server: serverSummary }),
  'server.removed': z.object({ name: z.string() }),
  /** Batched, at most every 100 ms a server. */
  'server.logged': z.object({ name: z.string(), lines: z.array(logLine), dropped: z.number().int() }),

  /**
   * Attempts of a sandboxed server, new or counted further, the latest at the end: 20 at most, at most every 250 ms a server. Empty:
   * attempts were answered or cleared. A page that lists them fetches `server.sandboxAttempts`.
   */
  'server.sandboxAttempt': z.object({ name: z.string(), attempts: z.array(sandboxAttempt) }),

  /** Messages were recorded up to this number; a page that shows them fetches them. At most every 250 ms a server. */
  'server.messaged': z.object({ name: z.string(), last: z.number().int() }),

  /** A subscribed resource changed. At most every 250 ms a resource. */
  'server.resourceUpdated': z.object({ name: z.string(), uri: z.string() }),

  /** servers.json changed, even if only a comment. A page that shows its text fetches it (`config.get`). */
  'config.changed': z.object({}),

  'conversation.changed': z.object({ conversation }),
  'conversation.removed': z.object({ id: z.string() }),
  /** Many conversations changed at once: lists are to be fetched again. */
  'history.changed': z.object({}),
  'chatFolders.changed': z.object({ chatFolders: z.array(chatFolder) }),
  'personal.changed': personalLists,

  /** The shown path changed: another branch, deleted or restored messages. The page fetches it again. */
  'conversation.pathChanged': z.object({ conversationId: z.string() }),

  /** A message is new, or changed in a way without an event of its own. `beside`: of the second answer. */
  'message.changed': z.object({ message, beside: z.literal(true).optional() }),
  /** Text added to part `part` at `offset` UTF-16 units. A page at another offset fetches the conversation again. */
  'message.delta': z.object({ ...ofMessage, part: z.number().int(), offset: z.number().int(), text: z.string() }),
  /** `arguments`: when the person edited them. */
  'toolCall.changed': z.object({ ...ofMessage, callId: z.string(), state: toolCallState, arguments: json.optional() }),

  /** An image is too large for models: a page that can scale it answers with `attachment.scaled`. */
  'image.wanted': z.object({ sha256: z.string(), mimeType: z.string() }),

  /** A manual call is new, or its state changed. */
  'manualRun.changed': z.object({ run: manualRun }),

  'consent.opened': z.object({ request: consentRequest }),
  'consent.closed': consentEnd.extend({ id: z.string() }),
  'overdueCalls.changed': z.object({ overdueCalls: z.array(overdueCall) }),
  'rules.changed': z.object({ rules: z.array(rule) }),

  /** Entries of the gate, or who is connected, changed. */
  'gate.changed': z.object({ clients: z.array(gateClientSummary) }),

  'models.changed': z.object({ models: z.array(modelInfo), providers: z.array(providerSummary) }),
  'pulls.changed': z.object({ pulls: z.array(modelPull) }),
  'settings.changed': z.object({ settings }),
  'notices.changed': z.object({ notices: z.array(profileNotice) }),
  'draft.attached': z.object({ conversationId: z.string().optional(), extras: draftExtras }),
  'draft.changed': z.object({ conversationId: z.string().optional(), messageId: z.string().optional(), text: z.string() }),
} as const

type Events = typeof events
export type EventName = keyof Events
export type EventPayload<N extends EventName> = z.output<Events[N]>
export type HostEvent = { [N in EventName]: { readonly name: N; readonly revision: number; readonly payload: EventPayload<N> } }[EventName]
