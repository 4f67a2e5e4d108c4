// The chat: one turn at a time in each conversation, any number of conversations side by side. A request that a server makes
// in the course of a call goes to the broker, in the conversation of that call.
import type { CreateMessageResult, ElicitRequestURLParams, ElicitResult } from '@modelcontextprotocol/client'
import type { Conversation, ConversationActivity } from '#app/chat/conversation.ts'
import { titleFromText } from '#app/chat/conversation-title.ts'
import type { UserMessage } from '#app/chat/message.ts'
import { switchesForServers } from '#app/chat/personal.ts'
import { validateElicitation } from '#app/consent/elicitation.ts'
import type { RequestInput } from '#app/contract/requests.ts'
import { HostError, toErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { JsonObject } from '#app/json.ts'
import { setParameters } from '#app/models/models.ts'
import { defined } from '#app/or-else.ts'
import { newId } from '#main/base/ids.ts'
import { protocolError, protocolErrorCodes } from '#main/base/protocol-error.ts'
import { type CallContext, type CallForward, createRunningCalls, type RunningCalls } from '#main/servers/client/requests/running-calls.ts'
import type { AskedBy, ServerRequestHandlers } from '#main/servers/client/requests/server-request-handlers.ts'
import { composeMessage } from './attachments/compose-message.ts'
import { besideContext, withoutBeside } from './beside.ts'
import { createBranches } from './branches.ts'
import type { ChatContext } from './chat-context.ts'
import { sourcesOf } from './content-sources.ts'
import { createScaler } from './context/image-scaler.ts'
import { createMcpApps } from './mcp-apps/mcp-apps.ts'
import { recoverAll, resumeTasks, settleMessages } from './recover-interrupted.ts'
import { callOf, withOrigin } from './request-origin.ts'
import { createRootsProvider, type RootsProvider } from './roots/roots-provider.ts'
import { sample } from './sampling/sampling.ts'
import { toNextTurn, withdraw } from './steering.ts'
import { createTitles } from './titles.ts'
import { createFirstStarts } from './turn/await-first-starts.ts'
import { createContextActions } from './turn/manual-compaction.ts'
import { startTurn, type TurnOptions } from './turn/turn.ts'
import type { Turn, TurnPosition } from './turn/turn-lifecycle.ts'
import { updateConversation } from './turn-activity.ts'

/** A message that has no `conversationId` begins a new conversation, to which folder, mode and tools apply. */
type SendParams = RequestInput<'chat.send'>

function createHandlers(context: ChatContext, running: RunningCalls, rootsProvider: RootsProvider): ServerRequestHandlers {
  const { broker } = context
  return {
    async sampling(params, by) {
      const forwarded = by.call?.forward?.sample
      // The agent's answer, which the SDK checks on its way to the server.
      if (forwarded) return (await forwarded(params as unknown as JsonObject, by.signal, by.key)) as unknown as CreateMessageResult
      return sample(context, running, params, by)
    },
    elicitation(params, by) {
      if (params.mode === 'url') return elicitUrl(context, running, params, by)
      const { message, requestedSchema } = params
      if (requestedSchema === undefined) throw protocolError(protocolErrorCodes.invalidParams, 'requestedSchema is missing')
      const forwarded = by.call?.forward?.elicit
      if (forwarded) return forwardForm(forwarded, params as unknown as JsonObject, by)
      return withOrigin(running, by, async (origin): Promise<ElicitResult> => {
        const schema = requestedSchema as unknown as JsonObject
        const answer = await broker.elicitForm({ ...origin, message, requestedSchema: schema, step: by.step })
        if (answer.action !== 'accept') return { action: answer.action }
        // The broker lets only values of the form's schema through: strings, numbers, booleans, lists of strings.
        return { action: 'accept', content: answer.content as NonNullable<ElicitResult['content']> }
      })
    },
    roots: rootsProvider.tell,
  }
}

/** Lets the agent show a form. Only values of its schema go to the server. */
async function forwardForm(
  forward: NonNullable<CallForward['elicit']>,
  params: JsonObject,
  { signal, key }: AskedBy,
): Promise<ElicitResult> {
  const { action, content } = await forward(params, signal, key)
  if (action !== 'accept') return { action: action === 'decline' ? 'decline' : 'cancel' }
  const checked = validateElicitation(params['requestedSchema'] as JsonObject, content ?? {})
  if (!checked.ok) throw protocolError(protocolErrorCodes.invalidParams, 'The answer does not fit the form')
  return { action: 'accept', content: checked.content as NonNullable<ElicitResult['content']> }
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : t`the page`)

function elicitUrl(context: ChatContext, running: RunningCalls, params: ElicitRequestURLParams, by: AskedBy): Promise<ElicitResult> {
  const { message, url } = params
  return withOrigin(running, by, async (origin): Promise<ElicitResult> => {
    // A person who has finished on the page already needs no link to it.
    const done = new AbortController()
    void by.finished?.then(() => done.abort())
    const answer = await context.broker.elicitUrl({ ...origin, message, url, signal: AbortSignal.any([origin.signal, done.signal]) })
    if (answer.action !== 'accept') return { action: answer.action }
    if (!context.openUrl) return { action: 'cancel' }
    const call = callOf(running, by)
    await context.openUrl(answer.approval)
    if (by.finished !== undefined) call?.note?.(t`waits for you to finish at ${hostOf(url)}`)
    void by.finished?.then(() => call?.note?.(t`you have finished at ${hostOf(url)}`))
    return { action: 'accept' }
  })
}

type Turns = ReturnType<typeof createTurns>

function createTurns(
  context: Omit<TurnOptions, 'conversationId' | 'turnId' | 'onEnd'>,
  onTurnEnd: (conversationId: string) => Promise<void>,
) {
  const { chat } = context
  const turns = new Map<string, Turn>()
  const besides = new Map<string, Turn>()
  let closed = false

  const onEnd =
    (conversationId: string): TurnPosition['onEnd'] =>
    (end, wanted) => {
      turns.delete(conversationId)
      return wanted && !closed ? startWithUnread(conversationId, end) : end
    }
  function start(conversationId: string, turnId: string): void {
    const turn = startTurn({ ...context, conversationId, turnId, onEnd: onEnd(conversationId) })
    turns.set(conversationId, turn)
    void turn.done.then(() => onTurnEnd(conversationId))
  }
  /** Begins or continues the second answer of a conversation, in its place beside the path. */
  function runBeside(conversation: Conversation, beside: NonNullable<Conversation['beside']>, turnId: string): void {
    const { id } = conversation
    const onEnd: TurnPosition['onEnd'] = (end) => {
      besides.delete(id)
      return end
    }
    besides.set(id, startTurn({ ...context, chat: besideContext(chat, { ...conversation, beside }), conversationId: id, turnId, onEnd }))
  }
  /** @throws {HostError} `chat.busy` while another second answer is written */
  function startBeside(conversation: Conversation, answer: Pick<NonNullable<Conversation['beside']>, 'model' | 'after'>): void {
    refuseClosed()
    if (besides.has(conversation.id)) throw busy()
    const beside = { ...answer, begun: chat.clock.now(), leaf: answer.after, activity: { kind: 'idle' } } as const
    updateConversation(chat, conversation.id, { beside })
    runBeside(conversation, beside, newId())
  }
  /** Begins a turn with what the person added, if anything. Returns the activity to show where none begins. */
  function startWithUnread(conversationId: string, end: ConversationActivity): ConversationActivity | undefined {
    try {
      const turnId = toNextTurn(chat, conversationId)
      if (turnId === undefined) return end
      start(conversationId, turnId)
      return undefined
    } catch (error) {
      chat.onError?.(error)
      return { kind: 'failed', turnId: newId(), error: toErrorValue(error) }
    }
  }
  /** @throws {HostError} `cancelled` once Assent closes */
  function refuseClosed(): void {
    if (closed) throw new HostError('cancelled', t`Assent is closing.`)
  }

  return {
    running: turns,
    besides,
    onEnd,
    start,
    startBeside,
    runBeside,
    refuseClosed,
    /** @throws {HostError} `cancelled` once Assent closes, `chat.busy` while a turn runs in the conversation */
    refuseBusy(conversationId: string): void {
      refuseClosed()
      if (turns.has(conversationId) || besides.has(conversationId)) throw busy()
    },
    async dispose(): Promise<void> {
      closed = true
      const open = [...turns.values(), ...besides.values()]
      for (const turn of open) turn.stop('quit')
      await Promise.all(open.map((turn) => turn.done))
    },
  }
}

const busy = (): HostError => new HostError('chat.busy', t`An answer is still running.`)

/** Returns the conversation that begins with that message, not stored yet. */
function newConversation({ store, clock, settings, servers }: ChatContext, params: SendParams): Conversation {
  const { text, attachments = [], prompt, model, folderId } = params
  const now = clock.now()
  const folder = folderId === undefined ? undefined : store.chatFolders.get(folderId)
  if (folderId !== undefined && !folder) throw new HostError('chat.unknown-folder', t`This folder was deleted.`)
  const { defaultModel, chatParameters } = settings()
  const standard = folder?.consentMode ?? settings().consentMode
  const assistant =
    params.assistantId === undefined ? undefined : store.personal.list('assistant').find((row) => row.id === params.assistantId)
  const consentMode = params.consentMode ?? assistant?.consentMode ?? standard
  const known = (): string[] => servers.views().map(({ name }) => name)
  const tools = params.tools ?? (assistant?.servers && switchesForServers(assistant.servers, known()))
  const own = assistant?.instructions?.trim() ? { systemPrompt: assistant.instructions } : {}
  const parameters = setParameters({ ...chatParameters, ...own })
  const id = newId()
  // On record first: no mode is loosened without a row in the audit log.
  if (consentMode !== standard)
    store.audit.append({ kind: 'mode', decision: consentMode, by: 'person', conversationId: id, detail: { before: standard } })
  return {
    id,
    title: titleFromText(text.trim() || prompt?.title || prompt?.name || attachments[0]?.name || ''),
    model: model ?? assistant?.model ?? folder?.model ?? defaultModel,
    createdAt: now,
    updatedAt: now,
    activity: { kind: 'idle' },
    ...(consentMode === 'rules' ? {} : { consentMode }),
    ...(parameters ? { parameters } : {}),
    ...(tools ? { tools } : {}),
    ...(folder ? { folderId: folder.id } : {}),
    ...(assistant ? { assistant: assistant.name } : {}),
    ...defined({ secondModel: params.second }),
  }
}

/** @throws {HostError} `chat.unknown-conversation` */
function knownConversation({ store }: ChatContext, conversationId: string): Conversation {
  const conversation = store.conversations.get(conversationId)
  if (!conversation) throw new HostError('chat.unknown-conversation', t`This chat was deleted.`)
  return conversation
}

/** `alone`: no second model is asked. A question that begins a turn ends the choice between two answers: the shown one is kept. */
function send(context: ChatContext, turns: Turns, params: SendParams, alone: boolean): { readonly conversationId: string } {
  const { store, emit, clock } = context
  const { conversationId, model } = params
  const composed = composeMessage(params, store.blobs)
  const sources = sourcesOf(context, composed, params.servers)
  turns.refuseClosed()
  const turn = turns.running.get(conversationId ?? '')
  const before = conversationId === undefined ? newConversation(context, params) : knownConversation(context, conversationId)
  const now = clock.now()
  if (!turn) turns.besides.get(before.id)?.stop('stopped')
  const conversation = { ...(turn ? before : withoutBeside(before)), ...(model === undefined ? {} : { model }), updatedAt: now }
  const turnId = turn?.turnId ?? newId()
  const message: UserMessage = {
    role: 'user',
    id: newId(),
    conversationId: conversation.id,
    turnId,
    createdAt: now,
    ...composed,
    ...(sources.length > 0 ? { sources } : {}),
    ...(turn ? { steered: 'waiting' as const } : {}),
  }
  store.transaction(() => {
    store.conversations.put(conversation)
    store.conversations.putMessage(message)
    store.orphanBlobs.sent((message.attachments ?? []).map(({ blob }) => blob.sha256))
  })
  emit('conversation.changed', { conversation })
  if (before.beside && !turn) emit('conversation.pathChanged', { conversationId: conversation.id })
  emit('message.changed', { message })
  if (turn) turn.steered()
  else {
    turns.start(conversation.id, turnId)
    const { secondModel } = conversation
    if (secondModel !== undefined && !alone) startSecond(context, turns, conversation.id, { model: secondModel, after: message.id })
  }
  return { conversationId: conversation.id }
}

/** Begins the second answer once one that was stopped has ended. */
function startSecond(context: ChatContext, turns: Turns, id: string, answer: { readonly model: string; readonly after: string }): void {
  const begin = (): void => turns.startBeside(knownConversation(context, id), answer)
  const before = turns.besides.get(id)
  if (!before) begin()
  else void before.done.then(begin).catch((error: unknown) => context.log.info(`no second answer: ${toErrorValue(error).code}`))
}

function resumeBeside(context: ChatContext, turns: Turns, conversationId: string): void {
  const conversation = knownConversation(context, conversationId)
  const { beside } = conversation
  if (turns.besides.has(conversationId)) throw busy()
  if (!beside || !('turnId' in beside.activity)) throw new HostError('chat.nothing-to-resume', t`There is no answer to continue.`)
  settleMessages(besideContext(context, { ...conversation, beside }), context.store.conversations.besideMessages(conversation))
  turns.runBeside(conversation, beside, beside.activity.turnId)
}

function resume(context: ChatContext, turns: Turns, conversationId: string): void {
  turns.refuseClosed()
  if (turns.running.has(conversationId)) throw busy()
  const { activity } = knownConversation(context, conversationId)
  if (activity.kind !== 'paused' && activity.kind !== 'interrupted' && activity.kind !== 'failed')
    throw new HostError('chat.nothing-to-resume', t`There is no answer to continue.`)
  settleMessages(context, context.store.conversations.messages(conversationId))
  updateConversation(context, conversationId, { updatedAt: context.clock.now() })
  turns.start(conversationId, activity.turnId)
}

export type Chat = ReturnType<typeof createChat>

export function createChat(context: ChatContext) {
  const running = createRunningCalls((overdueCalls, fresh) => {
    context.emit('overdueCalls.changed', { overdueCalls: [...overdueCalls] })
    if (fresh) context.onOverdue?.(fresh)
  })
  const over = new AbortController()
  const rootsProvider = createRootsProvider(context, running)
  const titles = createTitles(context)
  const scaler = createScaler(context)
  const firstStarts = createFirstStarts(context)
  const mcpApps = createMcpApps({ chat: context, running, rootsProvider })
  const turns = createTurns({ chat: context, running, rootsProvider, scaler, firstStarts }, titles.afterTurn)
  const { refuseBusy, start, startBeside, onEnd } = turns
  const known = (conversationId: string): Conversation => knownConversation(context, conversationId)
  const callIn = (conversationId: string, callId: string): CallContext | undefined => {
    const call = running.get(callId)
    return call?.conversationId === conversationId ? call : undefined
  }

  return {
    /**
     * Writes the person's message and begins a turn. While a turn runs the message joins it: the model reads it with the next
     * step, or it begins the next turn. @throws {HostError} `chat.unknown-conversation`, `chat.unknown-folder` or `attachment.*`
     */
    send: (params: SendParams, { alone = false } = {}) => send(context, turns, params, alone),
    /** Ends the wait of the conversation's turns for servers that start for the first time. */
    answerWithout: firstStarts.answerWithout,
    /** Cancels the model, the tools and the open questions of the running turn at once. */
    stop(conversationId: string, which?: 'shown' | 'beside'): void {
      if (which !== 'beside') turns.running.get(conversationId)?.stop('stopped')
      if (which !== 'shown') turns.besides.get(conversationId)?.stop('stopped')
    },
    /** Continues a paused, interrupted or failed turn; repeats no call. @throws {HostError} `chat.nothing-to-resume` or `chat.busy` */
    resume: (conversationId: string, beside = false) => (beside ? resumeBeside : resume)(context, turns, conversationId),
    /** Removes a message that the model has not read and returns its text; `undefined` when the model has read it. */
    withdraw: (conversationId: string, messageId: string) => withdraw(context, conversationId, messageId),
    branches: createBranches({ chat: context, refuseBusy, known, start, startBeside }),
    /** Ends one call that waits or runs; the model reads that it was cancelled, and the turn continues. */
    cancelCall: (conversationId: string, callId: string) => callIn(conversationId, callId)?.cancel?.(),
    /** Gives an overdue call another period; may be repeated when that is over too. */
    waitForCall: (conversationId: string, callId: string) => callIn(conversationId, callId)?.wait?.(),
    /** Calls that the person may wait for or cancel, in the order in which they became overdue. */
    overdue: running.overdue,
    /** Whether a turn or a call runs, that of a person's or a command's included. */
    isBusy: () => turns.running.size + turns.besides.size + running.size > 0,
    /** Marks at start what a crash cut off. Runs nothing. */
    recover: () => recoverAll(context),
    /** Asks for the tasks of calls that the last run left, once the servers are there. */
    resumeTasks: () => resumeTasks(context, running, over.signal),
    /** Commits and emits what is still batched, so that the store is level with the events. For snapshots. */
    flush(conversationId: string): void {
      turns.running.get(conversationId)?.flush()
      turns.besides.get(conversationId)?.flush()
    },
    context: createContextActions({ chat: context, known, refuseBusy, turns: turns.running, onEnd }),
    handlers: createHandlers(context, running, rootsProvider),
    /** Adds a manual call that is about to be sent, so that requests of its server find it. Returns its undo. */
    joinCall(call: CallContext): () => void {
      rootsProvider.beforeCall(call.server, undefined, call.forward)
      return running.add(call)
    },
    mcpApps,
    /** Takes a page's answer to `image.wanted`; `undefined`: the page could not make the image smaller. */
    scaledImage: scaler.drawn,
    /** Asks the conversation's model for a title and keeps it. @throws {HostError} `model.*` when it gives none */
    titleAgain: async (conversationId: string) => titles.again(known(conversationId)),
    refuseBusy,
    /** Resolves when the turn that runs now has ended, if any. */
    turnEnd: async (conversationId: string): Promise<void> => void (await turns.running.get(conversationId)?.done),
    /** Resolves when no turn of the conversation runs. */
    async idle(conversationId: string): Promise<void> {
      // A message that was added to a turn may begin another at its end.
      const next = (): Turn | undefined => turns.running.get(conversationId) ?? turns.besides.get(conversationId)
      for (let turn = next(); turn; turn = next()) await turn.done
    },
    /** Cuts off what runs; it can be resumed after the next start. */
    async dispose(): Promise<void> {
      over.abort()
      mcpApps.dispose()
      scaler.dispose()
      await Promise.all([turns.dispose(), titles.dispose()])
    },
  }
}
