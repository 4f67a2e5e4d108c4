// The chat: one turn at a time in each conversation, any number of conversations side by side. What servers ask of the host in
// the course of a call: each goes to the broker, in the conversation that it belongs to. What the composer sends becomes a
// message: its attachments are those whose bytes are here, a prompt's texts are the person's words where the server gives them
// to the person, and kept in their order where it does not.

import type { ElicitRequestURLParams, ElicitResult } from '@modelcontextprotocol/client'
import { type Attachment, attachmentLimits, type SentPrompt, type UsedPrompt } from '#app/chat/attachments/attachment.ts'
import type { Conversation, ConversationActivity } from '#app/chat/conversation.ts'
import { titleFromText } from '#app/chat/conversation-title.ts'
import type { UserMessage } from '#app/chat/message.ts'
import { HostError, toErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { JsonObject } from '#app/json.ts'
import { setParameters } from '#app/models/models.ts'
import { formatBytes } from '#app/text/format-text.ts'
import { newId } from '#main/base/ids.ts'
import { protocolError } from '#main/base/protocol-error.ts'
import { createRunningCalls, type RunningCalls } from '#main/servers/client/requests/running-calls.ts'
import type { AskedBy, ServerRequestHandlers } from '#main/servers/client/requests/server-request-handlers.ts'
import type { BlobStore } from '#main/store/store-api.ts'
import { createBranches } from './branches.ts'
import type { Chat } from './chat-api.ts'
import type { ChatContext } from './chat-context.ts'
import { createScaler } from './context/image-scaler.ts'
import { createMcpApps } from './mcp-apps/mcp-apps.ts'
import { recoverAll, settleMessages } from './recover-interrupted.ts'
import { callOf, INVALID_PARAMS, withOrigin } from './request-origin.ts'
import { createRootsProvider, type RootsProvider } from './roots/roots-provider.ts'
import { sample } from './sampling/sampling.ts'
import { toNextTurn, withdraw } from './steering.ts'
import { createTitles } from './titles.ts'
import { createFirstStarts } from './turn/await-first-starts.ts'
import { createContextActions } from './turn/manual-compaction.ts'
import { startTurn, type TurnOptions } from './turn/turn.ts'
import type { Turn, TurnPosition } from './turn/turn-lifecycle.ts'
import { updateConversation } from './turn-activity.ts'

interface Composed {
  readonly text: string
  readonly attachments?: readonly Attachment[] | undefined
  readonly prompt?: UsedPrompt | undefined
}

/** Throws `attachment.unknown` for bytes that are not here, `attachment.too-large` when they are too many together. */
export function composeMessage(
  { text, attachments = [], prompt }: Composed,
  blobs: BlobStore,
): Pick<UserMessage, 'text' | 'attachments' | 'prompt'> {
  const all = [...(prompt?.messages.flatMap((message) => message.attachments ?? []) ?? []), ...attachments]
  refuseTooMany(all)
  for (const { name, blob } of all) {
    const kept = blobs.get(blob.sha256)
    if (kept?.bytes.byteLength !== blob.bytes || kept.mimeType !== blob.mimeType)
      throw new HostError('attachment.unknown', t`The bytes of “${name}” are not here any more. Attach it again.`, { data: { name } })
  }
  const said = prompt?.messages.flatMap((message) => (message.role === 'user' && message.text.trim() !== '' ? [message.text] : [])) ?? []
  return {
    text: [...said, ...(text.trim() === '' ? [] : [text])].join('\n\n'),
    ...(all.length > 0 ? { attachments: all } : {}),
    ...(prompt ? { prompt: sentPrompt(prompt, text, attachments) } : {}),
  }
}

function sentPrompt({ server, name, arguments: given, messages }: UsedPrompt, words: string, own: readonly Attachment[]): SentPrompt {
  const origin = { server, name, arguments: given }
  if (!messages.some(({ role }) => role === 'assistant')) return origin
  const turns = messages.map(({ role, text, attachments = [] }) => ({ role, text, attachments: attachments.map(({ id }) => id) }))
  if (words.trim() === '' && own.length === 0) return { ...origin, turns }
  return { ...origin, turns: [...turns, { role: 'user', text: words, attachments: own.map(({ id }) => id) }] }
}

function refuseTooMany(attachments: readonly Attachment[]): void {
  const { count, totalBytes } = attachmentLimits
  if (attachments.length > count)
    throw new HostError('attachment.too-large', t`A message takes ${count} attachments; these are ${attachments.length}.`, {
      data: { count },
    })
  const bytes = attachments.reduce((sum, { blob }) => sum + blob.bytes, 0)
  if (bytes > totalBytes)
    throw new HostError(
      'attachment.too-large',
      t`The attachments have ${formatBytes(bytes)} together; a message takes ${formatBytes(totalBytes)}.`,
      { data: { bytes, limit: totalBytes } },
    )
}

function createHandlers(context: ChatContext, running: RunningCalls, toldRoots: RootsProvider): ServerRequestHandlers {
  const { broker } = context
  return {
    sampling: (params, by) => sample(context, running, params, by),
    elicitation(params, by) {
      if (params.mode === 'url') return openPage(context, running, params, by)
      const { message, requestedSchema } = params
      if (requestedSchema === undefined) throw protocolError(INVALID_PARAMS, 'requestedSchema is missing')
      return withOrigin(running, by, async (origin): Promise<ElicitResult> => {
        const answer = await broker.elicitForm({
          ...origin,
          message,
          requestedSchema: requestedSchema as unknown as JsonObject,
          step: by.step,
        })
        if (answer.action !== 'accept') return { action: answer.action }
        // The broker lets only values of the form's schema through: strings, numbers, booleans, lists of strings.
        return { action: 'accept', content: answer.content as NonNullable<ElicitResult['content']> }
      })
    },
    roots: toldRoots.tell,
  }
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : t`the page`)

function openPage(context: ChatContext, running: RunningCalls, params: ElicitRequestURLParams, by: AskedBy): Promise<ElicitResult> {
  const { message, url } = params
  return withOrigin(running, by, async (origin): Promise<ElicitResult> => {
    // Who went there by themselves needs no link any more.
    const done = new AbortController()
    void by.finished?.then(() => done.abort())
    const answer = await context.broker.elicitUrl({ ...origin, message, url, signal: AbortSignal.any([origin.signal, done.signal]) })
    if (answer.action !== 'accept') return { action: answer.action }
    if (!context.openUrl) return { action: 'cancel' }
    const call = callOf(running, by)
    await context.openUrl(answer.approval)
    if (by.finished !== undefined) call?.note?.(t`waits until you have finished at ${hostOf(url)}`)
    void by.finished?.then(() => call?.note?.(t`you have finished at ${hostOf(url)}`))
    return { action: 'accept' }
  })
}

/** The turns that run, one in a conversation. */
interface Turns {
  readonly running: Map<string, Turn>
  readonly onEnd: (conversationId: string) => TurnPosition['onEnd']
  start(conversationId: string, turnId: string): void
  /** Throws `cancelled` once Assent closes. */
  refuseClosed(): void
  /** Throws that too, and `chat.busy` while a turn runs there. */
  refuseBusy(conversationId: string): void
  /** No turn begins any more. */
  close(): void
}

function createTurns(
  context: Omit<TurnOptions, 'conversationId' | 'turnId' | 'onEnd'>,
  onTurnEnd: (conversationId: string) => void,
): Turns {
  const { deps } = context
  const turns = new Map<string, Turn>()
  let closed = false

  const onEnd =
    (conversationId: string): TurnPosition['onEnd'] =>
    (end, wanted) => {
      turns.delete(conversationId)
      return wanted && !closed ? takeUpUnread(conversationId, end) : end
    }
  function start(conversationId: string, turnId: string): void {
    const turn = startTurn({ ...context, conversationId, turnId, onEnd: onEnd(conversationId) })
    turns.set(conversationId, turn)
    void turn.done.then(() => onTurnEnd(conversationId))
  }
  /** What stands where the turn ended; undefined: another has begun with what the person added. */
  function takeUpUnread(conversationId: string, end: ConversationActivity): ConversationActivity | undefined {
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

  return {
    running: turns,
    onEnd,
    start,
    refuseClosed,
    refuseBusy(conversationId) {
      refuseClosed()
      if (turns.has(conversationId)) throw new HostError('chat.busy', t`An answer is still being written in this conversation.`)
    },
    close() {
      closed = true
    },
  }
}

/** A conversation that begins with that message. Not stored yet. */
function newConversation(
  { store, clock, settings }: ChatContext,
  { text, attachments = [], prompt, model, folderId, ...of }: Parameters<Chat['send']>[0],
): Conversation {
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
    title: titleFromText(text.trim() || prompt?.title || prompt?.name || attachments[0]?.name || ''),
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

/** Throws `chat.unknown-conversation`. */
function knownConversation({ store }: ChatContext, conversationId: string): Conversation {
  const conversation = store.conversations.get(conversationId)
  if (!conversation) throw new HostError('chat.unknown-conversation', t`This conversation does not exist.`)
  return conversation
}

/** Stores the message and tells of it; a turn that runs there takes it up, else one begins. */
function send(context: ChatContext, turns: Turns, sent: Parameters<Chat['send']>[0]): { readonly conversationId: string } {
  const { store, emit, clock } = context
  const { conversationId, model } = sent
  const composed = composeMessage(sent, store.blobs)
  turns.refuseClosed()
  const turn = turns.running.get(conversationId ?? '')
  const before = conversationId === undefined ? newConversation(context, sent) : knownConversation(context, conversationId)
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
    store.orphanBlobs.sent((message.attachments ?? []).map(({ blob }) => blob.sha256))
  })
  emit('conversation.changed', { conversation })
  emit('message.changed', { message })
  if (turn) turn.steered()
  else turns.start(conversation.id, turnId)
  return { conversationId: conversation.id }
}

/** Goes on with the turn that the conversation ends with. Throws `chat.nothing-to-resume`. */
function resume(context: ChatContext, turns: Turns, conversationId: string): void {
  turns.refuseBusy(conversationId)
  const { activity } = knownConversation(context, conversationId)
  if (activity.kind !== 'paused' && activity.kind !== 'interrupted' && activity.kind !== 'failed')
    throw new HostError('chat.nothing-to-resume', t`There is nothing to go on with in this conversation.`)
  settleMessages(context, context.store.conversations.messages(conversationId))
  updateConversation(context, conversationId, { updatedAt: context.clock.now() })
  turns.start(conversationId, activity.turnId)
}

export function createChat(context: ChatContext): Chat {
  const { store, emit } = context
  const running = createRunningCalls((overdueCalls, fresh) => {
    emit('overdueCalls.changed', { overdueCalls: [...overdueCalls] })
    if (fresh) context.onOverdue?.(fresh)
  })
  const toldRoots = createRootsProvider(context, running)
  const titles = createTitles(context)
  const scaler = createScaler({ blobs: store.blobs, ...context })
  const firstStarts = createFirstStarts(context)
  const views = createMcpApps({ deps: context, running, toldRoots })
  const turns = createTurns({ deps: context, running, toldRoots, scaler, firstStarts }, titles.afterTurn)
  const { refuseBusy, start, onEnd } = turns
  const known = (conversationId: string): Conversation => knownConversation(context, conversationId)

  return {
    send: (sent) => send(context, turns, sent),
    answerWithout: firstStarts.answerWithout,
    stop: (conversationId) => turns.running.get(conversationId)?.stop('stopped'),
    resume: (conversationId) => resume(context, turns, conversationId),
    withdraw: (conversationId, messageId) => withdraw(context, conversationId, messageId),
    branches: createBranches({ deps: context, refuseBusy, known, start }),
    cancelCall(conversationId, callId) {
      const call = running.get(callId)
      if (call?.conversationId === conversationId) call.cancel?.()
    },
    waitForCall(conversationId, callId) {
      const call = running.get(callId)
      if (call?.conversationId === conversationId) call.wait?.()
    },
    overdue: running.overdue,
    recover: () => recoverAll(context),
    flush: (conversationId) => turns.running.get(conversationId)?.flush(),
    context: createContextActions({ deps: context, known, refuseBusy, turns: turns.running, onEnd }),
    handlers: createHandlers(context, running, toldRoots),
    joinCall(call) {
      toldRoots.beforeCall(call.server, undefined)
      return running.add(call)
    },
    mcpApps: views,
    scaledImage: scaler.drawn,
    titleAgain: (conversationId) => titles.again(known(conversationId)),
    async idle(conversationId) {
      // What was added to a turn may begin another at its end.
      for (let turn = turns.running.get(conversationId); turn; turn = turns.running.get(conversationId)) await turn.done
    },
    async dispose() {
      turns.close()
      views.dispose()
      scaler.dispose()
      const open = [...turns.running.values()]
      for (const turn of open) turn.stop('quit')
      await Promise.all([...open.map((turn) => turn.done), titles.dispose()])
    },
  }
}
