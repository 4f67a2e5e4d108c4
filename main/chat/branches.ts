// Branches of a conversation. The old branch stays as it is, and none of its calls runs again. All but `fork` throw `chat.busy` while a
// turn runs; all throw `chat.unknown-message` for a message that is not on the shown path (`show`: not in the conversation).
import type { SentPrompt } from '#app/chat/attachments/attachment.ts'
import type { Conversation, ConversationActivity } from '#app/chat/conversation.ts'
import type { Message, UserMessage } from '#app/chat/message.ts'
import { answerAround, deletedWith, leafAfterDeletion, leafUnder, type MessageTree, pathIds } from '#app/chat/message-tree.ts'
import type { RequestInput } from '#app/contract/requests.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { newId } from '#main/base/ids.ts'
import { type PlacedMessage, putWhole } from '#main/store/put-conversation.ts'
import { withoutBeside } from './beside.ts'
import type { ChatContext } from './chat-context.ts'
import { mapCalls } from './message-calls.ts'
import { settleInterrupted, settleSummary } from './recover-interrupted.ts'

type MessageAddress = RequestInput<'message.show'>

function copyOf(message: Message, conversationId: string, newIdOf: (id: string) => string): Message {
  const own = { id: newIdOf(message.id), conversationId }
  if (message.role === 'user') {
    const { steered, ...kept } = message
    // No turn runs in the copy: a waiting message waits for nothing there.
    return { ...kept, ...(steered === 'given' ? { steered } : {}), ...own }
  }
  if (message.role === 'summary') {
    const { covers, leftOut } = message
    const until = newIdOf(covers.until)
    return { ...settleSummary(message), ...own, covers: { ...covers, until }, ...(leftOut ? { leftOut: leftOut.map(newIdOf) } : {}) }
  }
  const settled = settleInterrupted(message)
  const parts = mapCalls(settled.parts, (call) => ({ ...call, id: newIdOf(call.id) }))
  return { ...settled, parts, ...own }
}

export interface BranchOptions {
  readonly chat: ChatContext
  /** @throws {HostError} `chat.busy` while a turn runs in the conversation */
  readonly refuseBusy: (conversationId: string) => void
  /** @throws {HostError} `chat.unknown-conversation` */
  readonly known: (conversationId: string) => Conversation
  readonly start: (conversationId: string, turnId: string) => void
  readonly startBeside: (conversation: Conversation, answer: { readonly model: string; readonly after: string }) => void
}

export function createBranches({ chat, refuseBusy, known, start, startBeside }: BranchOptions) {
  const { store, emit, clock } = chat
  const { conversations } = store

  /** Ends the path at `leaf`, appends the new message, and begins a turn. */
  function branch(before: Conversation, leaf: string | null, turnId: string, message?: Message): void {
    const conversation = withoutBeside(before)
    store.transaction(() => {
      conversations.setLeaf(conversation.id, leaf)
      if (message) conversations.putMessage(message)
      conversations.put(conversation)
    })
    emit('conversation.changed', { conversation })
    emit('conversation.pathChanged', { conversationId: conversation.id })
    start(conversation.id, turnId)
  }

  /** Changes the path, and the conversation's activity to that of the new path's end. There is no second answer beside it any more. */
  function changePath(conversationId: string, change: () => void, patch: Partial<Conversation> = {}): void {
    const before = known(conversationId)
    const conversation = store.transaction(() => {
      change()
      const activity = activityAt(conversations.messages(conversationId).at(-1), before.activity)
      if (activity === before.activity && !before.beside) return undefined
      const settled = { ...withoutBeside(before), activity, ...patch }
      conversations.put(settled)
      return settled
    })
    if (conversation) emit('conversation.changed', { conversation })
    emit('conversation.pathChanged', { conversationId })
  }

  return {
    /** Puts another message beside the person's, and begins a turn that answers it. */
    edit({ conversationId, messageId, text }: RequestInput<'message.edit'>): void {
      refuseBusy(conversationId)
      const conversation = known(conversationId)
      const before = onPath(conversations.messages(conversationId), messageId)
      if (before.role !== 'user') throw unknownMessage(messageId)
      const now = clock.now()
      const { steered: _, prompt, ...kept } = before
      const message: UserMessage = {
        ...kept,
        ...(prompt && { prompt: text === before.text ? prompt : edited(prompt) }),
        id: newId(),
        turnId: newId(),
        createdAt: now,
        text,
      }
      branch({ ...conversation, updatedAt: now }, parentOf(conversations.tree(conversationId), messageId), message.turnId, message)
    },
    /** Begins another answer beside that one, or the first to a message without one. `model`: the conversation's from now on. */
    regenerate({ conversationId, messageId, model }: RequestInput<'message.regenerate'>): void {
      refuseBusy(conversationId)
      const conversation = known(conversationId)
      const path = conversations.messages(conversationId)
      const message = onPath(path, messageId)
      const first = answerAround(path, messageId)[0]
      const leaf = first ? parentOf(conversations.tree(conversationId), first.id) : message.role === 'user' ? messageId : null
      if (leaf === null) throw new HostError('chat.unknown-message', t`There is no question above this answer.`, { data: { messageId } })
      branch({ ...conversation, ...(model === undefined ? {} : { model }), updatedAt: clock.now() }, leaf, newId())
    },
    /** Begins a second answer beside the latest one. @throws {HostError} `chat.unknown-message` for any other answer */
    compare: (params: RequestInput<'message.compare'>) => compare({ chat, known, startBeside }, params),
    /** Shows the branch through that message, with the end it had when it was last shown. */
    show({ conversationId, messageId }: MessageAddress): void {
      refuseBusy(conversationId)
      const tree = conversations.tree(conversationId)
      if (!tree.nodes.some(({ id, deleted }) => id === messageId && !deleted)) throw unknownMessage(messageId)
      const patch = keptModel(conversations, known(conversationId), messageId)
      changePath(conversationId, () => conversations.setLeaf(conversationId, leafUnder(tree, messageId)), patch)
    },
    /** Deletes a question with its answer, or an answer. Returns the ids of the deleted messages. */
    delete({ conversationId, messageId }: MessageAddress): { readonly ids: string[] } {
      refuseBusy(conversationId)
      const path = conversations.messages(conversationId)
      onPath(path, messageId)
      const ids = deletedWith(path, messageId).map(({ id }) => id)
      changePath(conversationId, () => {
        conversations.deleteMessages(ids)
        conversations.setLeaf(conversationId, leafAfterDeletion(conversations.tree(conversationId)))
      })
      return { ids }
    },
    restore({ conversationId, ids }: RequestInput<'message.restore'>): void {
      refuseBusy(conversationId)
      const deleted = new Set(conversations.tree(conversationId).nodes.flatMap((node) => (node.deleted ? [node.id] : [])))
      const wanted = ids.filter((id) => deleted.has(id))
      // They came from one path: showing the last of them shows all.
      const last = wanted.at(-1)
      if (last === undefined) throw unknownMessage(ids[0] ?? '')
      changePath(conversationId, () => {
        conversations.restoreMessages(wanted)
        const tree = conversations.tree(conversationId)
        if (!pathIds(tree).includes(last)) conversations.setLeaf(conversationId, leafUnder(tree, last))
      })
    },
    fork: (address: MessageAddress) => fork({ chat, known }, address),
  }
}

function compare(
  { chat, known, startBeside }: Pick<BranchOptions, 'chat' | 'known' | 'startBeside'>,
  { conversationId, messageId, model }: RequestInput<'message.compare'>,
): void {
  const { conversations } = chat.store
  const conversation = known(conversationId)
  const path = conversations.messages(conversationId)
  const message = onPath(path, messageId)
  const answer = answerAround(path, messageId)
  const [first] = answer
  const after = first ? parentOf(conversations.tree(conversationId), first.id) : message.role === 'user' ? messageId : null
  if (after === null || (answer.at(-1) ?? message) !== path.findLast(({ role }) => role !== 'summary')) throw unknownMessage(messageId)
  startBeside(conversation, { model, after })
}

/** Model of the chat once its second answer is kept: that of the answer, unless both are asked each time. */
function keptModel(
  conversations: ChatContext['store']['conversations'],
  conversation: Conversation,
  messageId: string,
): Partial<Conversation> {
  const { beside, secondModel } = conversation
  const isKept = beside && secondModel === undefined && conversations.besideMessages(conversation).some(({ id }) => id === messageId)
  return isKept ? { model: beside.model } : {}
}

const parentOf = ({ nodes }: MessageTree, messageId: string): string | null => nodes.find(({ id }) => id === messageId)?.parent ?? null

function onPath(path: readonly Message[], messageId: string): Message {
  const message = path.find(({ id }) => id === messageId)
  if (!message) throw unknownMessage(messageId)
  return message
}

/** The copy's mode is that of any new chat: what was loosened for one conversation was for that one. */
async function fork({ chat, known }: Pick<BranchOptions, 'chat' | 'known'>, { conversationId, messageId }: MessageAddress) {
  const { store, emit } = chat
  const path = pathIds(store.conversations.tree(conversationId))
  const length = path.indexOf(messageId) + 1
  if (length === 0) throw unknownMessage(messageId)
  const original = known(conversationId)
  const {
    consentMode: _mode,
    contextTokens: _tokens,
    pinned: _pinned,
    archivedAt: _archived,
    unread: _unread,
    beside: _beside,
    ...kept
  } = original
  const { consentMode } = chat.settings()
  const now = chat.clock.now()
  const conversation: Conversation = {
    ...kept,
    id: newId(),
    createdAt: now,
    updatedAt: now,
    activity: { kind: 'idle' },
    ...(consentMode === 'rules' ? {} : { consentMode }),
  }
  const ids = new Map<string, string>()
  const newIdOf = (old: string): string => {
    const known = ids.get(old) ?? newId()
    ids.set(old, known)
    return known
  }
  const messages = copies(store.conversations, path.slice(0, length), (message) => copyOf(message, conversation.id, newIdOf))
  await putWhole(store, { conversation, messages, leaf: newIdOf(messageId) })
  emit('conversation.changed', { conversation })
  return { conversationId: conversation.id }
}

const COPIED_AT_ONCE = 50

/** Copies the messages in batches: a long chat is not held in memory as a whole. */
function* copies(
  conversations: ChatContext['store']['conversations'],
  ids: readonly string[],
  copy: (message: Message) => Message,
): Generator<PlacedMessage[]> {
  let parent: string | null = null
  for (let from = 0; from < ids.length; from += COPIED_AT_ONCE) {
    const placed: PlacedMessage[] = []
    for (const message of conversations.messagesOf(ids.slice(from, from + COPIED_AT_ONCE))) {
      const copied = copy(message)
      placed.push({ parent, message: copied })
      parent = copied.id
    }
    yield placed
  }
}

/** Marks a prompt as edited: all of it is the person's word then, so the server's turns go. */
const edited = ({ turns: _, ...prompt }: SentPrompt): SentPrompt => ({ ...prompt, edited: true })

const unknownMessage = (messageId: string): HostError =>
  new HostError('chat.unknown-message', t`This message is not part of the chat as it is shown.`, { data: { messageId } })

/** Only the turn that the path ends with can be resumed; another branch's cannot. */
function activityAt(last: Message | undefined, before: ConversationActivity): ConversationActivity {
  if ('turnId' in before && last?.turnId === before.turnId) return before
  if (last?.role === 'assistant' && last.state === 'interrupted') return { kind: 'interrupted', turnId: last.turnId }
  if (last?.role === 'assistant' && last.state === 'failed' && last.error) return { kind: 'failed', turnId: last.turnId, error: last.error }
  return before.kind === 'idle' ? before : { kind: 'idle' }
}
