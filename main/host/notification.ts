// What the operating system shows when a server waits for the person and no window is in front: who asks, and for what
// kind of thing; also when a call gives no word. The server's own words stay out of it: they are shown where they can be
// read whole.
import { type OverdueCall, overdueSentence } from '#app/chat/overdue.ts'
import type { ConsentRequest } from '#app/consent/request.ts'
import { stripHidden } from '#app/consent/reveal.ts'
import { consentSentence } from '#app/consent/sentence.ts'
import type { Platform } from '#main/platform.ts'

type Notification = Parameters<Platform['notify']>[0]

export const notificationOf = (request: ConsentRequest): Notification => ({
  title: stripHidden(consentSentence(request)),
  body: 'Nothing happens until you answer.',
  ...(request.conversationId === undefined ? {} : { conversationId: request.conversationId }),
})

export const overdueNotification = (call: OverdueCall): Notification => ({
  title: overdueSentence(call),
  body: 'It gives no word. It is cancelled before long unless you wait.',
  conversationId: call.conversationId,
})
