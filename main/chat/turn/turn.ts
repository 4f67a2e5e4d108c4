// The agent loop: an answer, its tool calls, the next answer, until the model has no more calls, steps or tokens are used
// up, the person stops it, or something fails. One object a turn; it owns the turn's signal.
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
import type { FirstStarts } from './await-first-starts.ts'
import { runStep } from './step.ts'
import { runCalls } from './tool-calls.ts'
import { startWork, type Turn, type TurnFrame, type TurnPosition } from './turn-lifecycle.ts'

export interface TurnOptions extends TurnPosition {
  readonly running: RunningCalls
  readonly toldRoots: RootsProvider
  readonly scaler: Scaler
  readonly firstStarts: FirstStarts
}

export function startTurn({ running, toldRoots, scaler, firstStarts, ...place }: TurnOptions): Turn {
  const { deps, conversationId, turnId } = place
  let sentSinceStop = false
  let writer: MessageWriter | undefined

  /** Sent while the host still reads its keys (a keyring may have to be unlocked first): the turn waits for that. */
  async function untilKnown(signal: AbortSignal): Promise<void> {
    const model = deps.store.conversations.get(conversationId)?.model
    if (model === undefined || !deps.models.find(model)) await orAborted(deps.models.load(), signal)
  }

  async function loop(frame: TurnFrame): Promise<ConversationActivity> {
    const context = {
      deps,
      conversationId,
      turnId,
      running,
      toldRoots,
      scaler,
      firstStarts,
      ...frame,
      onWriter: (begun: MessageWriter) => {
        writer = begun
      },
    }
    await untilKnown(frame.signal)
    let tokens = 0
    let cost = 0
    for (let steps = 1; ; steps += 1) {
      const answer = await runStep(context)
      const { cut } = answer.message()
      // What ran at the provider is answered already.
      if (cut !== 'paused' && answer.calls().every(({ ranAt }) => ranAt)) return { kind: 'idle' }
      const stop = await runCalls(context, answer)
      if (stop || frame.signal.aborted) return stopped(frame)
      tokens += spent(answer.message().usage)
      cost += answer.message().usage?.cost ?? 0
      const { stepLimit, tokenLimit, costLimit } = deps.settings()
      if (steps >= stepLimit) return { kind: 'paused', turnId, reason: 'step-limit' }
      if (tokenLimit > 0 && tokens >= tokenLimit) return { kind: 'paused', turnId, reason: 'token-limit' }
      if (costLimit > 0 && cost >= costLimit) return { kind: 'paused', turnId, reason: 'cost-limit' }
    }
  }

  /** What the person added and the model has not read is not lost: they can go on with it. */
  function stopped({ quitting }: TurnFrame): ConversationActivity {
    if (quitting()) return { kind: 'interrupted', turnId }
    return unreadIn(deps, conversationId).length > 0 ? { kind: 'paused', turnId, reason: 'unread' } : { kind: 'idle' }
  }

  function afterFailure(error: unknown, frame: TurnFrame): ConversationActivity {
    deps.onError?.(error)
    if (frame.signal.aborted) return stopped(frame)
    const value = toErrorValue(error)
    if (value.code === 'internal') deps.log.error('a turn failed', error)
    return { kind: 'failed', turnId, error: value }
  }

  return startWork(place, {
    stopped,
    async run(frame) {
      const end = await loop(frame).catch((error: unknown) => afterFailure(error, frame))
      if (end.kind === 'failed') trySettling(deps, conversationId)
      const byItself = end.kind === 'idle' || (end.kind === 'paused' && end.reason !== 'unread')
      return { end, wanted: byItself || sentSinceStop }
    },
    steered({ signal }) {
      sentSinceStop = signal.aborted
    },
    flush: () => writer?.flush(),
  })
}

/** What is read from the provider's cache costs next to nothing. */
const spent = (usage: Usage | undefined): number => (usage ? usage.inputTokens + usage.outputTokens + (usage.cacheWriteTokens ?? 0) : 0)

/** After a failure of the store, calls may stand as open that are not. */
function trySettling(context: ChatContext, conversationId: string): void {
  try {
    settleMessages(context, context.store.conversations.messages(conversationId))
  } catch (error) {
    context.onError?.(error)
    context.log.error('a failed turn could not be written', error)
  }
}
