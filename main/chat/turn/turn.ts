// The agent loop: an answer, its tool calls, the next answer, until there are no more calls, a limit is reached, or it is stopped.
import type { ConversationActivity } from '#app/chat/conversation.ts'
import { toErrorValue } from '#app/errors.ts'
import type { Usage } from '#app/models/usage.ts'
import { orAborted } from '#main/base/abort.ts'
import type { RunningCalls } from '#main/servers/client/requests/running-calls.ts'
import type { ChatContext } from '../chat-context.ts'
import type { Scaler } from '../context/image-scaler.ts'
import type { MessageWriter } from '../message-writer.ts'
import { settleMessages } from '../recover-interrupted.ts'
import type { RootsProvider } from '../roots/roots-provider.ts'
import { unreadIn } from '../steering.ts'
import type { TurnFrame } from '../turn-activity.ts'
import type { FirstStarts } from './await-first-starts.ts'
import { runStep } from './step.ts'
import { runCalls } from './tool-calls.ts'
import { startWork, type Turn, type TurnPosition } from './turn-lifecycle.ts'

export interface TurnOptions extends TurnPosition {
  readonly running: RunningCalls
  readonly rootsProvider: RootsProvider
  readonly scaler: Scaler
  readonly firstStarts: FirstStarts
}

export function startTurn(options: TurnOptions): Turn {
  const { chat, conversationId, turnId } = options
  let sentSinceStop = false
  let writer: MessageWriter | undefined

  async function loop(frame: TurnFrame): Promise<ConversationActivity> {
    const onWriter = (begun: MessageWriter): void => {
      writer = begun
    }
    const context = { ...options, ...frame, onWriter }
    const model = chat.store.conversations.get(conversationId)?.model
    // The host may still be reading its keys: a keyring may have to be unlocked first.
    if (model === undefined || !chat.models.find(model)) await orAborted(chat.models.load(), frame.signal)
    let tokens = 0
    let cost = 0
    for (let steps = 1; ; steps += 1) {
      const answer = await runStep(context)
      const { cut } = answer.message()
      // A call that ran at the provider (`ranAt`) has its result already.
      if (cut !== 'paused' && answer.calls().every(({ ranAt }) => ranAt)) return { kind: 'idle' }
      const stop = await runCalls(context, answer)
      if (stop || frame.signal.aborted) return stopped(frame)
      tokens += spent(answer.message().usage)
      cost += answer.message().usage?.cost ?? 0
      const { stepLimit, tokenLimit, costLimit } = chat.settings()
      if (steps >= stepLimit) return { kind: 'paused', turnId, reason: 'step-limit' }
      if (tokenLimit > 0 && tokens >= tokenLimit) return { kind: 'paused', turnId, reason: 'token-limit' }
      if (costLimit > 0 && cost >= costLimit) return { kind: 'paused', turnId, reason: 'cost-limit' }
    }
  }

  /** Returns the activity of a stopped turn; the person can resume it with unread messages. */
  function stopped({ quitting }: TurnFrame): ConversationActivity {
    if (quitting()) return { kind: 'interrupted', turnId }
    return unreadIn(chat, conversationId).length > 0 ? { kind: 'paused', turnId, reason: 'unread' } : { kind: 'idle' }
  }

  function afterFailure(error: unknown, frame: TurnFrame): ConversationActivity {
    chat.onError?.(error)
    if (frame.signal.aborted) return stopped(frame)
    const value = toErrorValue(error)
    if (value.code === 'internal') chat.log.error('a turn failed', error)
    return { kind: 'failed', turnId, error: value }
  }

  return startWork(options, {
    stopped,
    async run(frame) {
      const end = await loop(frame).catch((error: unknown) => afterFailure(error, frame))
      if (end.kind === 'failed') trySettling(chat, conversationId)
      const byItself = end.kind === 'idle' || (end.kind === 'paused' && end.reason !== 'unread')
      return { end, wanted: byItself || sentSinceStop }
    },
    steered({ signal }) {
      sentSinceStop = signal.aborted
    },
    flush: () => writer?.flush(),
  })
}

/** Tokens of a step, without those that the provider read from its cache: they cost next to nothing. */
const spent = (usage: Usage | undefined): number => (usage ? usage.inputTokens + usage.outputTokens + (usage.cacheWriteTokens ?? 0) : 0)

/** Settles the messages after a failure: when the store failed, ended calls may still be stored as open. */
function trySettling(context: ChatContext, conversationId: string): void {
  try {
    settleMessages(context, context.store.conversations.messages(conversationId))
  } catch (error) {
    context.onError?.(error)
    context.log.error('a failed turn could not be written', error)
  }
}
