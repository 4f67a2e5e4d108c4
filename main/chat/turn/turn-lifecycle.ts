// The lifecycle of a turn: the answer to a message, or a summary that the person asked for. It has one signal, one activity tracker and
// one end, which is emitted once. The person and the end of the host can stop it.
import type { ConversationActivity } from '#app/chat/conversation.ts'
import type { ToolCallEvent } from '#app/chat/next-call-state.ts'
import { type ErrorValue, toErrorValue } from '#app/errors.ts'
import { isProtocolError } from '#main/base/protocol-error.ts'
import type { ChatContext } from '../chat-context.ts'
import { createActivity, type TurnFrame } from '../turn-activity.ts'

/** Returns how a call ended without a result. The message of a protocol error is the server's, for the model. */
export function callFailure(thrown: unknown, server: string, { signal, quitting }: Omit<TurnFrame, 'activity'>, at: number): ToolCallEvent {
  if (signal.aborted) return { kind: quitting() ? 'cut-off' : 'cancelled' }
  const error: ErrorValue = isProtocolError(thrown)
    ? { code: 'server.protocol', message: `“${server}” answered: ${thrown.message}`, data: { server, protocolCode: thrown.code } }
    : toErrorValue(thrown)
  return error.code === 'tool.outcome-unknown' ? { kind: 'lost' } : { kind: 'failed', error, at }
}

export type Turn = ReturnType<typeof startWork>

export interface TurnPosition {
  readonly chat: ChatContext
  readonly conversationId: string
  readonly turnId: string
  /**
   * Called before the last activity is emitted, so that a listener may begin the next turn. `wanted`: unread messages of the person are
   * to be answered at once. Returns the activity to emit; `undefined` when another turn has begun.
   */
  readonly onEnd: (end: ConversationActivity, wanted: boolean) => ConversationActivity | undefined
}

interface TurnWork {
  /** Returns the activity to show as soon as the turn is told to stop. */
  stopped(frame: TurnFrame): ConversationActivity
  /** Never rejects. `wanted` as in `onEnd`. */
  run(frame: TurnFrame): Promise<{ readonly end: ConversationActivity; readonly wanted: boolean }>
  steered?(frame: TurnFrame): void
  flush?(): void
}

export function startWork({ chat, conversationId, turnId, onEnd }: TurnPosition, work: TurnWork) {
  const controller = new AbortController()
  let quitting = false
  const activity = createActivity(chat, conversationId, turnId)
  const frame: TurnFrame = { activity, signal: controller.signal, quitting: () => quitting }

  async function run(): Promise<void> {
    await Promise.resolve() // The caller gets the turn before its work begins.
    const { end, wanted } = await work.run(frame)
    const told = onEnd(end, wanted)
    if (told) activity.end(told)
  }

  return {
    turnId,
    /** Never rejects. */
    done: run(),
    stop(how: 'stopped' | 'quit'): void {
      quitting = how === 'quit'
      controller.abort()
      // Emitted at once; the messages follow as soon as the awaited work ends.
      activity.end(work.stopped(frame))
    },
    /** The person added a message to the turn, perhaps after it was stopped. */
    steered: (): void => work.steered?.(frame),
    flush: (): void => work.flush?.(),
  }
}
