// Actions of the person on the context: summarise it, undo or edit a summary, leave a result out. They delete nothing and can be undone.
// All throw `chat.unknown-conversation`; those that change something throw `chat.busy` while a turn runs.
import type { ContextItem, ContextSummary } from '#app/chat/context-summary.ts'
import type { Conversation } from '#app/chat/conversation.ts'
import type { Message } from '#app/chat/message.ts'
import type { RequestInput } from '#app/contract/requests.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { newId } from '#main/base/ids.ts'
import type { BranchOptions } from '../branches.ts'
import { type ChatContext, putMessages } from '../chat-context.ts'
import { gatherContext } from '../context/build-context.ts'
import { answersIn, markLeftOut, planFor, tellSizes } from '../context/compact.ts'
import { type CompactionPlan, roomLimit } from '../context/compaction-plan.ts'
import { calibrationOf, measureContext } from '../context/measure-tokens.ts'
import { summarise } from '../context/summarise.ts'
import { summariseContext } from '../context/token-usage.ts'
import { type TurnFrame, updateConversation } from '../turn-activity.ts'
import { startWork, type Turn, type TurnPosition } from './turn-lifecycle.ts'

interface ContextActionOptions extends Pick<BranchOptions, 'chat' | 'known' | 'refuseBusy'> {
  readonly turns: Map<string, Turn>
  /** Begins a turn with the messages that the person sent meanwhile. */
  readonly onEnd: (conversationId: string) => TurnPosition['onEnd']
}

/** Share of the messages that a manual compaction keeps at most, however much room there is. */
const KEPT_BY_HAND = 0.25

type Situation = ReturnType<typeof situationOf>

function situationOf(context: ChatContext, conversation: Conversation) {
  const gathered = gatherContext(context, conversation)
  const measured = measureContext(gathered)
  const factor = calibrationOf(gathered.messages, conversation.model) ?? 1
  const limit = (roomLimit(gathered, 95) ?? Number.POSITIVE_INFINITY) / factor
  const fixed = measured.system + measured.tools
  const byHand = fixed + ((measured.total - fixed) * KEPT_BY_HAND) / 0.4
  return { gathered, measured, factor, plan: planFor(gathered, measured, Math.min(limit, byHand)) }
}

export function createContextActions({ chat, known, refuseBusy, turns, onEnd }: ContextActionOptions) {
  const { store } = chat

  return {
    view(conversationId: string): ContextSummary {
      const { gathered, measured, plan } = situationOf(chat, known(conversationId))
      return summariseContext(gathered, measured, plan, chat.servers.tools())
    },
    /** Begins a summary of the older part. @throws {HostError} `chat.nothing-to-compact` */
    compact(conversationId: string, keep: string | undefined): void {
      refuseBusy(conversationId)
      const situation = situationOf(chat, known(conversationId))
      const { plan, gathered } = situation
      if (gathered.info?.ai === false) throw new HostError('chat.nothing-to-compact', t`The practice model writes no summary.`)
      if (plan.kind === 'nothing') throw new HostError('chat.nothing-to-compact', t`The chat is too short for a summary.`)
      turns.set(conversationId, startCompaction(chat, situation, plan, keep, onEnd(conversationId)))
    },
    changeSummary(
      conversationId: string,
      messageId: string,
      { undone, text }: Pick<RequestInput<'conversation.changeSummary'>, 'undone' | 'text'>,
    ): void {
      refuseBusy(conversationId)
      const { id } = known(conversationId)
      const message = store.conversations.messages(id).find((one) => one.id === messageId)
      if (message?.role !== 'summary') throw new HostError('contract.invalid', t`The summary was deleted.`)
      const { undone: before, ...rest } = message
      const isUndone = undone ?? before ?? false
      const next = {
        ...rest,
        ...(isUndone ? { undone: true as const } : {}),
        ...(text === undefined ? {} : { text, edited: true as const }),
      }
      const calls = markLeftOut(answersIn(store, id), new Set(message.leftOut), isUndone ? undefined : 'host')
      putMessages(chat, [next, ...calls])
      tellFilled(chat, id)
    },
    leaveOut(conversationId: string, { kind, id: item }: Pick<ContextItem, 'kind' | 'id'>, leftOut: boolean): void {
      refuseBusy(conversationId)
      const { id } = known(conversationId)
      putMessages(
        chat,
        kind === 'result'
          ? markLeftOut(answersIn(store, id), new Set([item]), leftOut ? 'person' : undefined)
          : withoutAttachment(store.conversations.messages(id), item, leftOut),
      )
      tellFilled(chat, id)
    },
  }
}

function withoutAttachment(messages: readonly Message[], attachmentId: string, without: boolean): Message[] {
  return messages.flatMap((message) => {
    if (message.role !== 'user' || !message.attachments?.some(({ id }) => id === attachmentId)) return []
    const attachments = message.attachments.map((one) => {
      const { leftOut: _, ...attachment } = one
      return one.id !== attachmentId ? one : without ? { ...attachment, leftOut: true as const } : attachment
    })
    return [{ ...message, attachments }]
  })
}

/** Updates the tokens that the next request would fill, for the token meter. */
function tellFilled(context: ChatContext, conversationId: string): void {
  const conversation = context.store.conversations.get(conversationId)
  if (!conversation) return
  const { measured, factor } = situationOf(context, conversation)
  updateConversation(context, conversationId, { contextTokens: Math.round(measured.total * factor) })
}

/** Summarises in a turn's place: nothing else begins meanwhile, and it can be stopped. The activity of the turn before stays. */
function startCompaction(
  chat: ChatContext,
  { gathered, factor, measured }: Situation,
  plan: CompactionPlan & { readonly kind: 'summarise' },
  keep: string | undefined,
  onEnd: TurnPosition['onEnd'],
): Turn {
  const { id, activity: before } = gathered.conversation
  const turnId = newId()

  async function compact(frame: TurnFrame): Promise<void> {
    try {
      const summary = await summarise({ chat, turnId, ...frame }, { gathered, plan, by: 'person', keep, factor })
      if (summary.state !== 'done') return
      const after = situationOf(chat, gathered.conversation).measured.total
      tellSizes(chat, summary, measured.total * factor, after * factor)
      tellFilled(chat, id)
    } catch (error) {
      if (frame.signal.aborted) return
      chat.onError?.(error)
      chat.log.error('a summary could not be written', error)
    }
  }

  return startWork(
    { chat, conversationId: id, turnId, onEnd },
    {
      stopped: () => before,
      async run(frame) {
        await compact(frame)
        return { end: before, wanted: !frame.quitting() }
      },
    },
  )
}
