import type { Conversation } from '#app/chat/conversation.ts'
import { setParameters } from '#app/chat/parameters.ts'
import { withSwitch } from '#app/chat/tool-switches.ts'
import { branchesOnPath, pathIds } from '#app/chat/tree.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'
import { requireModel } from '#main/models/require-model.ts'
import type { HandlersOf, HostParts } from './handlers.ts'
import type { HistoryHandlers } from './history.ts'
import { adopt } from './models.ts'

/** Of one conversation; of many, `history.ts`. */
export function conversationRequests(host: HostParts): Omit<HandlersOf<'conversation'>, keyof HistoryHandlers> {
  const { conversations } = host.store

  const find = (id: string): Conversation => {
    const conversation = conversations.get(id)
    if (!conversation)
      throw new HostError('chat.unknown-conversation', t`This chat is not there any more.`, { data: { conversationId: id } })
    return conversation
  }
  const put = (conversation: Conversation): void => {
    conversations.put(conversation)
    host.emit('conversation.changed', { conversation })
  }
  const change = (id: string, patch: Partial<Conversation>): void => put({ ...find(id), ...patch })

  return {
    'conversation.get'({ id, last }) {
      find(id)
      host.chat.flush(id)
      const tree = conversations.tree(id)
      const path = pathIds(tree)
      const earlier = last === undefined ? 0 : Math.max(0, path.length - last)
      return {
        revision: host.revision(),
        conversation: find(id),
        messages: earlier > 0 ? conversations.messagesOf(path.slice(earlier)) : conversations.messages(id, tree),
        ...(earlier > 0 && { earlier }),
        branches: branchesOnPath(tree),
        deleted: conversations.lastDeleted(id),
      }
    },
    'conversation.rename'({ id, title }) {
      change(id, { title, titledBy: 'person' })
      return {}
    },
    async 'conversation.titleAgain'({ id }) {
      find(id)
      return { title: await host.chat.titleAgain(id) }
    },
    'conversation.seen'({ id }) {
      const { unread, ...seen } = find(id)
      if (!unread) return {}
      conversations.put(seen)
      host.emit('conversation.changed', { conversation: seen })
      return {}
    },
    'conversation.context': ({ id }) => host.chat.context.view(id),
    'conversation.compact'({ id, keep }) {
      host.chat.context.compact(id, keep)
      return {}
    },
    'conversation.changeSummary'({ id, messageId, undone, text }) {
      host.chat.context.changeSummary(id, messageId, { undone, text })
      return {}
    },
    'conversation.leaveOut'({ id, item, leftOut }) {
      host.chat.context.leaveOut(id, item, leftOut)
      return {}
    },
    'conversation.setModel'({ id, model }) {
      const { provider } = requireModel(host.models, model)
      change(id, { model })
      adopt(host, provider, model)
      return {}
    },
    'conversation.setParameters'({ id, parameters }) {
      const { parameters: _before, ...conversation } = find(id)
      const set = setParameters(parameters)
      put(set ? { ...conversation, parameters: set } : conversation)
      return {}
    },
    'conversation.switchTool'({ id, server, tool, on }) {
      const { tools: before, ...conversation } = find(id)
      const off = withSwitch(before, { server, tool }, on)
      put(off ? { ...conversation, tools: off } : conversation)
      return {}
    },
    'conversation.setConsentMode'({ id, mode }) {
      const before = find(id).consentMode ?? 'rules'
      if (before === mode) return {}
      // On record first: what cannot be recorded is not loosened.
      host.store.audit.append({ kind: 'mode', decision: mode, by: 'person', conversationId: id, detail: { before } })
      change(id, { consentMode: mode })
      return {}
    },
  }
}
