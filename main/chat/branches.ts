// What the person does to messages that are there: ask otherwise, have it answered anew, go to another branch, delete, bring
// back. Nothing of the old branch changes, and none of its calls runs again: the model is asked anew, and so is the person. All
// of it is refused while an answer is being written (`chat.busy`); it is for the person to stop that first. A conversation that
// begins as another one was up to some message. The two share nothing but the bytes of results: each copy has ids of its own,
// so that what is told of a message or a call is told of one of them.

import type { SentPrompt } from '#app/chat/attachments/attachment.ts'
import type { Conversation, ConversationActivity } from '#app/chat/conversation.ts'
import type { Message, UserMessage } from '#app/chat/message.ts'
import { answerAround, deletedWith, leafAfterDeletion, leafUnder, pathIds } from '#app/chat/message-tree.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Settings } from '#app/settings.ts'
import { newId } from '#main/base/ids.ts'
import { type PlacedMessage, putWhole } from '#main/store/put-conversation.ts'
import type { Branches } from './chat-api.ts'
import type { ChatContext } from './chat-context.ts'
import { settleInterrupted, settleSummary } from './recover-interrupted.ts'

interface Fork {
  readonly conversation: Conversation
  /** One message after the other, from the first on. */
  copy(message: Message): Message
  /** What a message is called there. */
  idOf(id: string): string
}

/**
 * How it asks is as in any new chat: what was loosened for one conversation was for that one. It lies in the same folder, and
 * is listed like any other.
 */
function forkOf(of: Conversation, { now, consentMode }: { readonly now: number } & Pick<Settings, 'consentMode'>): Fork {
  const { consentMode: _of, contextTokens: _filled, pinned: _above, archivedAt: _away, unread: _new, ...kept } = of
  const id = newId()
  const conversation: Conversation = {
    ...kept,
    id,
    createdAt: now,
    updatedAt: now,
    activity: { kind: 'idle' },
    ...(consentMode === 'rules' ? {} : { consentMode }),
  }
  const ids = new Map<string, string>()
  const renamed = (one: string): string => {
    const own = ids.get(one) ?? newId()
    ids.set(one, own)
    return own
  }
  return { conversation, copy: (message) => copyOf(message, id, renamed), idOf: renamed }
}

function copyOf(message: Message, conversationId: string, renamed: (id: string) => string): Message {
  const own = { id: renamed(message.id), conversationId }
  if (message.role === 'user') {
    const { steered, ...kept } = message
    // What waited for a turn's next step waits for nothing here.
    return { ...kept, ...(steered === 'given' ? { steered } : {}), ...own }
  }
  if (message.role === 'summary') {
    const { covers, leftOut } = message
    const until = renamed(covers.until)
    return { ...settleSummary(message), ...own, covers: { ...covers, until }, ...(leftOut ? { leftOut: leftOut.map(renamed) } : {}) }
  }
  const settled = settleInterrupted(message)
  const parts = settled.parts.map((part) =>
    part.kind === 'tool-call' ? { ...part, call: { ...part.call, id: renamed(part.call.id) } } : part,
  )
  return { ...settled, parts, ...own }
}

interface BranchOptions {
  readonly deps: ChatContext
  /** Throws `chat.busy` while a turn runs there. */
  readonly refuseBusy: (conversationId: string) => void
  /** Throws `chat.unknown-conversation`. */
  readonly known: (conversationId: string) => Conversation
  readonly start: (conversationId: string, turnId: string) => void
}

export function createBranches({ deps, refuseBusy, known, start }: BranchOptions): Branches {
  const { store, emit, clock } = deps
  const { conversations } = store

  const parentOf = (conversationId: string, messageId: string): string | null =>
    conversations.tree(conversationId).nodes.find(({ id }) => id === messageId)?.parent ?? null

  /** Lets the path end at `leaf`, puts what is new there, and begins a turn. */
  function branch(conversation: Conversation, leaf: string | null, turnId: string, message?: Message): void {
    store.transaction(() => {
      conversations.setLeaf(conversation.id, leaf)
      if (message) conversations.putMessage(message)
      conversations.put(conversation)
    })
    emit('conversation.changed', { conversation })
    emit('conversation.pathChanged', { conversationId: conversation.id })
    start(conversation.id, turnId)
  }

  /** Another path in a turn's place: where that stands is told by its own end. */
  function changePath(conversationId: string, change: () => void): void {
    const before = known(conversationId)
    const conversation = store.transaction(() => {
      change()
      const activity = activityAt(conversations.messages(conversationId).at(-1), before.activity)
      if (activity === before.activity) return undefined
      const settled = { ...before, activity }
      conversations.put(settled)
      return settled
    })
    if (conversation) emit('conversation.changed', { conversation })
    emit('conversation.pathChanged', { conversationId })
  }

  return {
    edit({ conversationId, messageId, text }) {
      refuseBusy(conversationId)
      const conversation = known(conversationId)
      const before = onPath(conversations.messages(conversationId), messageId)
      if (before.role !== 'user') throw unknownMessage(messageId)
      const now = clock.now()
      const { steered: _then, prompt, ...kept } = before
      const message: UserMessage = {
        ...kept,
        ...(prompt && { prompt: text === before.text ? prompt : inOtherWords(prompt) }),
        id: newId(),
        turnId: newId(),
        createdAt: now,
        text,
      }
      branch({ ...conversation, updatedAt: now }, parentOf(conversationId, messageId), message.turnId, message)
    },
    regenerate({ conversationId, messageId, model }) {
      refuseBusy(conversationId)
      const conversation = known(conversationId)
      const path = conversations.messages(conversationId)
      const message = onPath(path, messageId)
      const first = answerAround(path, messageId)[0]
      const leaf = first ? parentOf(conversationId, first.id) : message.role === 'user' ? messageId : null
      if (leaf === null) throw new HostError('chat.unknown-message', t`There is no question above this answer.`, { data: { messageId } })
      branch({ ...conversation, ...(model === undefined ? {} : { model }), updatedAt: clock.now() }, leaf, newId())
    },
    show({ conversationId, messageId }) {
      refuseBusy(conversationId)
      const tree = conversations.tree(conversationId)
      if (!tree.nodes.some(({ id, deleted }) => id === messageId && !deleted)) throw unknownMessage(messageId)
      changePath(conversationId, () => conversations.setLeaf(conversationId, leafUnder(tree, messageId)))
    },
    delete({ conversationId, messageId }) {
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
    restore({ conversationId, ids }) {
      refuseBusy(conversationId)
      const deleted = new Set(conversations.tree(conversationId).nodes.flatMap((node) => (node.deleted ? [node.id] : [])))
      const wanted = ids.filter((id) => deleted.has(id))
      // They came from one path: where the last of them is shown, all are.
      const last = wanted.at(-1)
      if (last === undefined) throw unknownMessage(ids[0] ?? '')
      changePath(conversationId, () => {
        conversations.restoreMessages(wanted)
        const tree = conversations.tree(conversationId)
        if (!pathIds(tree).includes(last)) conversations.setLeaf(conversationId, leafUnder(tree, last))
      })
    },
    fork: (at) => fork({ deps, known }, at),
  }
}

const onPath = (path: readonly Message[], messageId: string): Message => {
  const message = path.find(({ id }) => id === messageId)
  if (!message) throw unknownMessage(messageId)
  return message
}

/** Stores a copy of the conversation up to that message. */
async function fork(
  { deps, known }: Pick<BranchOptions, 'deps' | 'known'>,
  { conversationId, messageId }: Parameters<Branches['fork']>[0],
): Promise<{ readonly conversationId: string }> {
  const { store, emit, clock } = deps
  const ids = pathIds(store.conversations.tree(conversationId))
  const length = ids.indexOf(messageId) + 1
  if (length === 0) throw unknownMessage(messageId)
  const copy = forkOf(known(conversationId), { now: clock.now(), consentMode: deps.settings().consentMode })
  await putWhole(store, {
    conversation: copy.conversation,
    messages: copies(store.conversations, ids.slice(0, length), copy.copy),
    leaf: copy.idOf(messageId),
  })
  emit('conversation.changed', { conversation: copy.conversation })
  return { conversationId: copy.conversation.id }
}

/** Copies some messages at a time: a long chat is not held as a whole. */
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

const COPIED_AT_ONCE = 50

/** All of it is the person's word then, also what stood in the server's turns: those are not read beside it. */
const inOtherWords = ({ turns: _, ...prompt }: SentPrompt): SentPrompt => ({ ...prompt, edited: true })

const unknownMessage = (messageId: string): HostError =>
  new HostError('chat.unknown-message', t`This message is not part of the chat as it is shown.`, { data: { messageId } })

/** A turn that can be gone on with is the one that the path ends with; another branch's is not. */
function activityAt(last: Message | undefined, before: ConversationActivity): ConversationActivity {
  if ('turnId' in before && last?.turnId === before.turnId) return before
  if (last?.role === 'assistant' && last.state === 'interrupted') return { kind: 'interrupted', turnId: last.turnId }
  if (last?.role === 'assistant' && last.state === 'failed' && last.error) return { kind: 'failed', turnId: last.turnId, error: last.error }
  return before.kind === 'idle' ? before : { kind: 'idle' }
}
