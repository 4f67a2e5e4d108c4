import { draftKey } from '#app/chat/drafts.ts'
import type { HandlersOf, HostParts } from './handlers.ts'

export const chatRequests = (host: HostParts): HandlersOf<'chat' | 'draft'> => ({
  'chat.send': (params) => host.chat.send(params),
  'chat.stop'({ conversationId }) {
    host.chat.stop(conversationId)
    return {}
  },
  'chat.answerWithout'({ conversationId }) {
    host.chat.answerWithout(conversationId)
    return {}
  },
  'chat.withdraw': ({ conversationId, messageId }) => ({ text: host.chat.withdraw(conversationId, messageId) ?? null }),
  'chat.resume'({ conversationId }) {
    host.chat.resume(conversationId)
    return {}
  },
  'chat.cancelCall'({ conversationId, callId }) {
    host.chat.cancelCall(conversationId, callId)
    return {}
  },
  'chat.waitForCall'({ conversationId, callId }) {
    host.chat.waitForCall(conversationId, callId)
    return {}
  },
  'draft.attach'({ conversationId, extras }) {
    host.store.conversations.setDraftExtras(conversationId ?? '', extras)
    host.emit('draft.attached', { conversationId, extras })
    return {}
  },
  'draft.set'({ text, ...owner }) {
    host.store.conversations.setDraft(draftKey(owner), text)
    host.emit('draft.changed', { ...owner, text })
    return {}
  },
})
