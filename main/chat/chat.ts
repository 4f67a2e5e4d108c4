// The chat: one turn at a time in each conversation, any number of conversations side by side.
import type { Activity, Conversation } from '#app/chat/conversation.ts'
import type { UserMessage } from '#app/chat/message.ts'
import { setParameters } from '#app/chat/parameters.ts'
import { titleOf } from '#app/chat/title.ts'
import { HostError, toErrorValue } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'
import { newId } from '#main/base/ids.ts'
import { updateConversation } from './activity.ts'
import { composeMessage } from './attachments/compose.ts'
import { createBranches } from './branches.ts'
import { createContextActions } from './compaction/by-person.ts'
import type { ChatOptions } from './deps.ts'
import { createFirstStarts } from './first-starts.ts'
import { createScaler } from './images/scaler.ts'
import { recoverAll, settleMessages } from './recover.ts'
import { createRunningCalls } from './running.ts'
import { createHandlers } from './server-requests.ts'
import { toNextTurn, withdraw } from './steering.ts'
import { createTitles } from './titles.ts'
import { createToldRoots } from './told-roots.ts'
import { startTurn } from './turn.ts'
import type { Turn, TurnPlace } from './turn-frame.ts'
import type { Chat } from './types.ts'
import { createViews } from './views/views.ts'

export function createChat(deps: ChatOptions): Chat {
  const { store, emit, clock, settings } = deps
  const turns = new Map<string, Turn>()
  const running = createRunningCalls((overdueCalls, fresh) => {
    emit('overdueCalls.changed', { overdueCalls: [...overdueCalls] })
    if (fresh) deps.onOverdue?.(fresh)
  })
  const toldRoots = createToldRoots(deps, running)
  const titles = createTitles(deps)
  const scaler = createScaler({ blobs: store.blobs, ...deps })
  const firstStarts = createFirstStarts(deps)
  const views = createViews({ deps, running, toldRoots })
  let closed = false

  const onEnd =
    (conversationId: string): TurnPlace['onEnd'] =>
    (end, wanted) => {
      turns.delete(conversationId)
      return wanted && !closed ? takeUpUnread(conversationId, end) : end
    }
  function start(conversationId: string, turnId: string): void {
    const turn = startTurn({ deps, conversationId, turnId, running, toldRoots, scaler, firstStarts, onEnd: onEnd(conversationId) })
    turns.set(conversationId, turn)
    void turn.done.then(() => titles.afterTurn(conversationId))
  }
  /** What stands where the turn ended; undefined: another has begun with what the person added. */
  function takeUpUnread(conversationId: string, end: Activity): Activity | undefined {
    try {
      const turnId = toNextTurn(deps, conversationId)
      if (turnId === undefined) return end
      start(conversationId, turnId)
      return undefined
    } catch (error) {
      deps.onError?.(error)
      return { kind: 'failed', turnId: newId(), error: toErrorValue(error) }
    }
  }
  function refuseClosed(): void {
    if (closed) throw new HostError('cancelled', t`Assent is closing.`)
  }
  function refuseBusy(conversationId: string): void {
    refuseClosed()
    if (turns.has(conversationId)) throw new HostError('chat.busy', t`An answer is still being written in this conversation.`)
  }
  function known(conversationId: string): Conversation {
    const conversation = store.conversations.get(conversationId)
    if (!conversation) throw new HostError('chat.unknown-conversation', t`This conversation does not exist.`)
    return conversation
  }
  function begin({ text, attachments = [], prompt, model, folderId, ...of }: Parameters<Chat['send']>[0]): Conversation {
    const now = clock.now()
    const folder = folderId === undefined ? undefined : store.chatFolders.get(folderId)
    if (folderId !== undefined && !folder) throw new HostError('chat.unknown-folder', t`This folder is not there any more.`)
    const chosen = model ?? folder?.model ?? settings().defaultModel
    const { chatParameters } = settings()
    const standard = folder?.consentMode ?? settings().consentMode
    const consentMode = of.consentMode ?? standard
    const parameters = setParameters(chatParameters)
    const id = newId()
    // On record first: what cannot be recorded is not loosened.
    if (consentMode !== standard)
      store.audit.append({ kind: 'mode', decision: consentMode, by: 'person', conversationId: id, detail: { before: standard } })
    return {
      id,
      title: titleOf(text.trim() || prompt?.title || prompt?.name || attachments[0]?.name || ''),
      model: chosen,
      createdAt: now,
      updatedAt: now,
      activity: { kind: 'idle' },
      ...(consentMode === 'rules' ? {} : { consentMode }),
      ...(parameters ? { parameters } : {}),
      ...(of.tools ? { tools: of.tools } : {}),
      ...(folder ? { folderId: folder.id } : {}),
    }
  }

  return {
    send(sent) {
      const { conversationId, model } = sent
      const composed = composeMessage(sent, store.blobs)
      refuseClosed()
      const turn = turns.get(conversationId ?? '')
      const before = conversationId === undefined ? begin(sent) : known(conversationId)
      const now = clock.now()
      const conversation = { ...before, ...(model === undefined ? {} : { model }), updatedAt: now }
      const turnId = turn?.turnId ?? newId()
      const message: UserMessage = {
        role: 'user',
        id: newId(),
        conversationId: conversation.id,
        turnId,
        createdAt: now,
        ...composed,
        ...(turn ? { steered: 'waiting' as const } : {}),
      }
      store.transaction(() => {
        store.conversations.put(conversation)
        store.conversations.putMessage(message)
        store.looseBlobs.sent((message.attachments ?? []).map(({ blob }) => blob.sha256))
      })
      emit('conversation.changed', { conversation })
      emit('message.changed', { message })
      if (turn) turn.steered()
      else start(conversation.id, turnId)
      return { conversationId: conversation.id }
    },
    answerWithout: firstStarts.answerWithout,
    stop: (conversationId) => turns.get(conversationId)?.stop('stopped'),
    resume(conversationId) {
      refuseBusy(conversationId)
      const { activity } = known(conversationId)
      if (activity.kind !== 'paused' && activity.kind !== 'interrupted' && activity.kind !== 'failed')
        throw new HostError('chat.nothing-to-resume', t`There is nothing to go on with in this conversation.`)
      settleMessages(deps, store.conversations.messages(conversationId))
      updateConversation(deps, conversationId, { updatedAt: clock.now() })
      start(conversationId, activity.turnId)
    },
    withdraw: (conversationId, messageId) => withdraw(deps, conversationId, messageId),
    branches: createBranches({ deps, refuseBusy, known, start }),
    cancelCall(conversationId, callId) {
      const call = running.get(callId)
      if (call?.conversationId === conversationId) call.cancel()
    },
    waitForCall(conversationId, callId) {
      const call = running.get(callId)
      if (call?.conversationId === conversationId) call.wait()
    },
    overdue: running.overdue,
    recover: () => recoverAll(deps),
    flush: (conversationId) => turns.get(conversationId)?.flush(),
    context: createContextActions({ deps, known, refuseBusy, turns, onEnd }),
    handlers: createHandlers(deps, running, toldRoots),
    joinCall(call) {
      toldRoots.beforeCall(call.server, undefined)
      return running.add({ ...call, conversationId: undefined })
    },
    views,
    scaledImage: scaler.drawn,
    titleAgain: (conversationId) => titles.again(known(conversationId)),
    async idle(conversationId) {
      // What was added to a turn may begin another at its end.
      for (let turn = turns.get(conversationId); turn; turn = turns.get(conversationId)) await turn.done
    },
    async dispose() {
      closed = true
      views.dispose()
      scaler.dispose()
      const open = [...turns.values()]
      for (const turn of open) turn.stop('quit')
      await Promise.all([...open.map((turn) => turn.done), titles.dispose()])
    },
  }
}
