import type { HandlersOf, HostParts } from './handlers.ts'

export const usageRequests = ({ store }: HostParts): HandlersOf<'usage'> => ({
  'usage.report': ({ from, to }) => ({
    total: store.use.total(from, to),
    days: store.use.byDay(from, to),
    models: store.use.byModel(from, to),
    conversations: store.use.byConversation(from, to),
  }),
  'usage.ofChat': ({ conversationId }) => store.use.ofConversation(conversationId),
})
