import { HostError } from '#app/errors.ts'
import { listTools, sentToolsOf } from '#main/chat/tools/overview.ts'
import { prepareTools } from '#main/chat/tools/tool-choice.ts'
import type { HandlersOf, HostParts } from './handlers.ts'

export function toolRequests({ store, servers, models }: HostParts): HandlersOf<'tool'> {
  const deps = { store, servers, models, settings: () => store.settings.get() }
  return {
    'tool.list': () => ({ servers: listTools(deps) }),
    async 'tool.sent'({ conversationId }) {
      const conversation = conversationId === undefined ? undefined : store.conversations.get(conversationId)
      if (conversationId !== undefined && !conversation)
        throw new HostError('chat.unknown-conversation', 'This chat is not there any more.', { data: { conversationId } })
      if (conversation) await prepareTools(deps, conversation)
      return sentToolsOf(deps, conversation)
    },
  }
}
