import type { Conversation } from '#app/chat/conversation.ts'
import { draftKey } from '#app/chat/drafts.ts'
import { branchesOnPath, pathIds } from '#app/chat/message-tree.ts'
import { withSwitch } from '#app/chat/tools/tool-switches.ts'
import type { RequestInput } from '#app/contract/requests.ts'
import { setParameters } from '#app/models/models.ts'
import { defined } from '#app/or-else.ts'
import { adoptAdded, requireModel } from '#main/models/default-model.ts'
import { type Caller, type Handlers, type HandlersOf, type HostContext, knownConversation } from './request-handlers.ts'

export const usageHandlers = ({ store }: HostContext): HandlersOf<'usage'> => ({
  'usage.report': ({ from, to }) => ({
    total: store.usage.total(from, to),
    days: store.usage.byDay(from, to),
    models: store.usage.byModel(from, to),
    conversations: store.usage.byConversation(from, to),
  }),
  'usage.ofChat': ({ conversationId }) => store.usage.ofConversation(conversationId),
})

function adopt(context: HostContext, provider: string, { model, isNew = false }: { model?: string; isNew?: boolean } = {}): void {
  const models = context.models.list()
  const added = models.filter((one) => one.provider === provider && (model === undefined || one.id === model))
  const settings = adoptAdded(context.store.settings, models, added, isNew)
  if (settings) context.emit('settings.changed', { settings })
}

export function modelHandlers(context: HostContext): HandlersOf<'key' | 'models' | 'endpoint'> {
  const record = (provider: string, decision: 'set' | 'removed'): void =>
    void context.store.audit.append({ kind: 'key', decision, by: 'person', detail: { provider, kept: context.platform.secrets.kind } })

  return {
    async 'key.set'({ provider, key }) {
      const isNew = context.models.providers().some((one) => one.id === provider && one.key.kind === 'missing')
      const models = await context.models.setKey(provider, key)
      record(provider, 'set')
      adopt(context, provider, { isNew })
      return { models }
    },
    async 'key.remove'({ provider }) {
      await context.models.removeKey(provider)
      record(provider, 'removed')
    },
    async 'models.list'() {
      await context.models.load()
      return { models: context.models.list(), providers: context.models.providers() }
    },
    'models.refresh': () => context.models.refresh(),
    'models.look': ({ again = false }) => context.models.lookHere(again),
    async 'endpoint.save'(draft) {
      if (draft.keyNow !== undefined) context.noteSecret(draft.keyNow)
      const saved = await context.models.saveEndpoint(draft)
      record(saved.id, 'set')
      adopt(context, saved.id, { isNew: draft.id === undefined })
      return saved
    },
    'models.catalogue': async () => ({ date: await context.models.catalogueDate() }),
    'models.refreshCatalogue': async () => ({ models: await context.models.refreshCatalogue() }),
    'models.pullSize': async ({ model }) => ({ bytes: (await context.models.pullSize(model)) ?? null }),
    'models.pull': ({ endpoint, model }) => void context.models.pull(endpoint, model),
    'models.cancelPull': ({ endpoint, model }) => context.models.cancelPull(endpoint, model),
    'endpoint.variables': () => ({ variables: context.models.keyVariables() }),
    async 'endpoint.remove'({ id }) {
      await context.models.removeEndpoint(id)
      record(id, 'removed')
    },
  }
}

type HistoryHandlers = Pick<Handlers, `conversation.${'section' | 'find' | 'change' | 'undo' | 'deleted' | 'purge'}`>

export function historyHandlers({ store, history }: HostContext): HistoryHandlers {
  const cut = <T>(found: readonly T[], limit: number) => ({ page: found.slice(0, limit), more: found.length > limit })
  return {
    'conversation.section'({ section, after, limit }) {
      const { page, more } = cut(store.history.shelf(section, { after, limit: limit + 1 }), limit)
      return { conversations: page, more }
    },
    'conversation.find'({ filter, after, limit }) {
      const { page, more } = cut(store.history.find(filter, { after, limit: limit + 1 }), limit)
      return { conversations: page, more, ...(after ? {} : { found: store.history.count(filter) }) }
    },
    'conversation.change': ({ choice, change }) => history.change(choice, change),
    'conversation.undo': ({ undo }) => history.undo(undo),
    'conversation.deleted'({ after, limit }) {
      const { page, more } = cut(store.history.deleted({ after, limit: limit + 1 }), limit)
      return { deleted: page, more }
    },
    'conversation.purge': ({ ids }) => ({ purged: history.purge(ids) }),
  }
}

export const searchHandlers = (context: HostContext): HandlersOf<'search'> => ({
  'search.find': ({ searcher, ...params }) => context.store.search.find(searcher, params),
})

/** Begins a turn of a joined command, which ends with the command. Its questions are the command's too. @throws {HostError} `chat.busy` */
function sendJoined({ chat, broker }: HostContext, params: RequestInput<'chat.send'>, joined: string, { signal }: Caller) {
  if (params.conversationId !== undefined) chat.refuseBusy(params.conversationId)
  const { conversationId } = chat.send(params, { alone: true })
  const leave = broker.claim({ joined }, { conversationId })
  const stop = (): void => chat.stop(conversationId)
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  // A turn that follows it, with what a window added, is not the command's.
  void chat.turnEnd(conversationId).then(() => {
    leave()
    signal.removeEventListener('abort', stop)
  })
  return { conversationId }
}

export const chatHandlers = (context: HostContext): HandlersOf<'chat' | 'draft'> => ({
  'chat.send': (params, caller) =>
    caller?.joined === undefined ? context.chat.send(params) : sendJoined(context, params, caller.joined, caller),
  'chat.wait': ({ conversationId }) => context.chat.idle(conversationId),
  'chat.stop': ({ conversationId, which }) => context.chat.stop(conversationId, which),
  'chat.answerWithout': ({ conversationId }) => context.chat.answerWithout(conversationId),
  'chat.withdraw': ({ conversationId, messageId }) => ({ text: context.chat.withdraw(conversationId, messageId) ?? null }),
  'chat.resume': ({ conversationId, beside }) => context.chat.resume(conversationId, beside),
  'chat.cancelCall': ({ conversationId, callId }) => context.chat.cancelCall(conversationId, callId),
  'chat.waitForCall': ({ conversationId, callId }) => context.chat.waitForCall(conversationId, callId),
  'draft.attach'({ conversationId, extras }) {
    context.store.conversations.setDraftExtras(conversationId ?? '', extras)
    context.emit('draft.attached', { conversationId, extras })
  },
  'draft.set'({ text, ...owner }) {
    context.store.conversations.setDraft(draftKey(owner), text)
    context.emit('draft.changed', { ...owner, text })
  },
})

export function messageHandlers(context: HostContext): HandlersOf<'message'> {
  const { branches } = context.chat
  return {
    'message.edit': (params) => branches.edit(params),
    'message.regenerate': (params) => branches.regenerate(params),
    'message.compare'(params) {
      requireModel(context.models, params.model)
      branches.compare(params)
    },
    'message.show': (params) => branches.show(params),
    'message.delete': (params) => branches.delete(params),
    'message.restore': (params) => branches.restore(params),
    'message.fork': (params) => branches.fork(params),
  }
}

export function conversationHandlers(context: HostContext): Omit<HandlersOf<'conversation'>, keyof HistoryHandlers> {
  const { conversations } = context.store
  const find = (id: string): Conversation => knownConversation(context, id)
  function change(id: string, patch: Partial<Conversation>): void {
    const conversation: Conversation = defined({ ...find(id), ...patch })
    conversations.put(conversation)
    context.emit('conversation.changed', { conversation })
  }

  return {
    'conversation.get'({ id, last }) {
      find(id)
      context.chat.flush(id)
      const tree = conversations.tree(id)
      const path = pathIds(tree)
      const earlier = last === undefined ? 0 : Math.max(0, path.length - last)
      return {
        revision: context.revision(),
        conversation: find(id),
        messages: earlier > 0 ? conversations.messagesOf(path.slice(earlier)) : conversations.messages(id, tree),
        ...(earlier > 0 && { earlier }),
        branches: branchesOnPath(tree),
        deleted: conversations.lastDeleted(id),
        beside: conversations.besideMessages(find(id)),
      }
    },
    'conversation.rename': ({ id, title }) => change(id, { title, titledBy: 'person' }),
    async 'conversation.titleAgain'({ id }) {
      find(id)
      return { title: await context.chat.titleAgain(id) }
    },
    'conversation.seen'({ id }) {
      if (find(id).unread) change(id, { unread: undefined })
    },
    'conversation.context': ({ id }) => context.chat.context.view(id),
    'conversation.compact': ({ id, keep }) => context.chat.context.compact(id, keep),
    'conversation.changeSummary': ({ id, messageId, undone, text }) => context.chat.context.changeSummary(id, messageId, { undone, text }),
    'conversation.leaveOut': ({ id, item, leftOut }) => context.chat.context.leaveOut(id, item, leftOut),
    'conversation.setModel'({ id, model, second }) {
      const { provider } = requireModel(context.models, model)
      if (second) requireModel(context.models, second)
      change(id, { model, ...(second !== undefined && { secondModel: second ?? undefined }) })
      adopt(context, provider, { model })
    },
    'conversation.setParameters': ({ id, parameters }) => change(id, { parameters: setParameters(parameters) }),
    'conversation.switchTool': ({ id, server, tool, on }) => change(id, { tools: withSwitch(find(id).tools, { server, tool }, on) }),
    'conversation.setConsentMode'({ id, mode }) {
      const before = find(id).consentMode ?? 'rules'
      if (before === mode) return
      // Audited first: what cannot be recorded is not loosened.
      context.store.audit.append({ kind: 'mode', decision: mode, by: 'person', conversationId: id, detail: { before } })
      change(id, { consentMode: mode })
    },
  }
}
