// What the operating system shows when a server waits for the person and no window is in front: who asks, and for what
// kind of thing. The server's own words stay out of it: they are shown where they can be read whole.

import type { ConsentRequest } from '#app/consent/request.ts'
import { stripHidden } from '#app/consent/reveal.ts'
import { consentSentence } from '#app/consent/sentence.ts'
import type { Platform } from '#main/platform.ts'

export const notificationOf = (request: ConsentRequest): Parameters<Platform['notify']>[0] => ({
  title: stripHidden(consentSentence(request)),
  body: 'Nothing happens until you answer.',
  ...(request.conversationId === undefined ? {} : { conversationId: request.conversationId }),
})
