// Every event that crosses the boundary, once: what the host tells every page. Each carries the host's revision;
// a page drops those at or behind its snapshot's.
import { z } from 'zod'
import { chatFolder } from '../chat/chat-folder.ts'
import { conversation } from '../chat/conversation.ts'
import { draftExtras } from '../chat/drafts.ts'
import { message, toolCallState } from '../chat/message.ts'
import { overdueCall } from '../chat/overdue-call.ts'
import { manualRun } from '../chat/tools/manual-run.ts'
import { consentRequest } from '../consent/request.ts'
import { consentEnd } from '../consent/request-ending.ts'
import { rule } from '../consent/rules/rule.ts'
import { json } from '../json.ts'
import { modelInfo, providerSummary } from '../models/models.ts'
import { profileNotice } from '../profile-notice.ts'
import { logLine } from '../server/server-state.ts'
import { serverSummary } from '../server/server-summary.ts'
import { settings } from '../settings.ts'
import { deepLinkItem } from './bundle-requests.ts'

export const events = {
  /** A model was asked for something that counts: a report that is shown is asked for again. */
  'usage.changed': z.object({}),

  /** Links and files that wait to be looked at: all of them. */
  'outside.changed': z.object({ items: z.array(deepLinkItem) }),

  /** So many bytes of it are here, of so many where that is known. At most every 100 ms. */
  'bundle.downloading': z.object({ download: z.string(), bytes: z.number().int(), total: z.number().int().optional() }),

  'server.changed': z.object({ server: serverSummary }),
  'server.removed': z.object({ name: z.string() }),
  /** Batched, at most every 100 ms a server. */
  'server.logged': z.object({ name: z.string(), lines: z.array(logLine), dropped: z.number().int() }),

  /** More of what goes over the wire was recorded, up to this number. Who shows it fetches it. At most every 250 ms a server. */
  'server.messaged': z.object({ name: z.string(), last: z.number().int() }),

  /** A resource that was subscribed to has changed. At most every 250 ms for one of them. */
  'server.resourceUpdated': z.object({ name: z.string(), uri: z.string() }),

  /** servers.json reads otherwise than before, be it only a comment. Its text is fetched by whoever shows it (`config.get`). */
  'config.changed': z.object({}),

  'conversation.changed': z.object({ conversation }),
  'conversation.removed': z.object({ id: z.string() }),
  /** So many conversations changed at once that they are not told one by one: what is shown of them is to be fetched anew. */
  'history.changed': z.object({}),
  /** All of them. */
  'chatFolders.changed': z.object({ chatFolders: z.array(chatFolder) }),

  /** Other messages are shown than before: another branch, or some were deleted or came back. Its transcript is fetched again. */
  'conversation.pathChanged': z.object({ conversationId: z.string() }),

  /** A message is new, or changed in a way that the finer events do not cover. */
  'message.changed': z.object({ message }),
  /** Text was added to part `part`, at `offset` UTF-16 units. A page that has not got exactly `offset` fetches the conversation again. */
  'message.delta': z.object({
    conversationId: z.string(),
    messageId: z.string(),
    part: z.number().int(),
    offset: z.number().int(),
    text: z.string(),
  }),
  'toolCall.changed': z.object({
    conversationId: z.string(),
    messageId: z.string(),
    callId: z.string(),
    state: toolCallState,
    /** Set when the person edited them. */
    arguments: json.optional(),
  }),

  /** An image is larger than models take: whoever can draw it smaller says so with `attachment.scaled`. */
  'image.wanted': z.object({ sha256: z.string(), mimeType: z.string() }),

  /** A tool that was run by hand: it is new, or has come further. */
  'handRun.changed': z.object({ run: manualRun }),

  'consent.opened': z.object({ request: consentRequest }),
  'consent.closed': consentEnd.extend({ id: z.string() }),
  /** All of them. */
  'overdueCalls.changed': z.object({ overdueCalls: z.array(overdueCall) }),
  'rules.changed': z.object({ rules: z.array(rule) }),

  'models.changed': z.object({ models: z.array(modelInfo), providers: z.array(providerSummary) }),
  'settings.changed': z.object({ settings }),
  'notices.changed': z.object({ notices: z.array(profileNotice) }),
  'draft.attached': z.object({ conversationId: z.string().optional(), extras: draftExtras }),
  'draft.changed': z.object({ conversationId: z.string().optional(), messageId: z.string().optional(), text: z.string() }),
} as const

type Events = typeof events
export type EventName = keyof Events
export type EventPayload<N extends EventName> = z.output<Events[N]>
export type HostEvent = { [N in EventName]: { readonly name: N; readonly revision: number; readonly payload: EventPayload<N> } }[EventName]
