// What takes a turn's place in a conversation: an answer, or a summary that was asked for by hand. It has one signal, one
// tracker of its activity and one end, which is told once; the person can stop it, and so can the end of the host. How a call
// that did not come back with a result ended.

import type { ConversationActivity } from '#app/chat/conversation.ts'
import { type ErrorValue, toErrorValue } from '#app/errors.ts'
import { isProtocolError } from '#main/base/protocol-error.ts'
import type { ChatContext } from '../chat-context.ts'
import { type ActivityTracker, createActivity } from '../turn-activity.ts'

/** The connection died after the call was sent: nobody knows what became of it. */
const lostCodes: ReadonlySet<string> = new Set(['tool.outcome-unknown'])

export function callEndKind(error: ErrorValue, signal: AbortSignal, quitting: boolean): 'cut-off' | 'cancelled' | 'lost' | 'failed' {
  if (signal.aborted) return quitting ? 'cut-off' : 'cancelled'
  return lostCodes.has(error.code) ? 'lost' : 'failed'
}

/** A protocol error came over the wire: its words are the server's, for the model. */
export function callError(thrown: unknown, server: string): ErrorValue {
  if (isProtocolError(thrown))
    return { code: 'server.protocol', message: `“${server}” answered: ${thrown.message}`, data: { server, protocolCode: thrown.code } }
  return toErrorValue(thrown)
}

export interface Turn {
  readonly turnId: string
  /** Never rejects. */
  readonly done: Promise<void>
  stop(how: 'stopped' | 'quit'): void
  /** The person added a message to it, after it was stopped perhaps. */
  steered(): void
  flush(): void
}

export interface TurnPosition {
  readonly deps: ChatContext
  readonly conversationId: string
  readonly turnId: string
  /**
   * Before the last activity is told, so that whoever hears it may begin the next turn. `wanted`: what the person added
   * and no model has read is to be answered without asking. Returns what is told; undefined: nothing, another turn has begun.
   */
  readonly onEnd: (end: ConversationActivity, wanted: boolean) => ConversationActivity | undefined
}

export interface TurnFrame {
  readonly activity: ActivityTracker
  readonly signal: AbortSignal
  readonly quitting: () => boolean
}

interface TurnWork {
  /** Where it stands as soon as it is told to stop. */
  stopped(frame: TurnFrame): ConversationActivity
  /** Never rejects. `wanted` as in `onEnd`. */
  run(frame: TurnFrame): Promise<{ readonly end: ConversationActivity; readonly wanted: boolean }>
  steered?(frame: TurnFrame): void
  flush?(): void
}

export function startWork({ deps, conversationId, turnId, onEnd }: TurnPosition, work: TurnWork): Turn {
  const controller = new AbortController()
  let quitting = false
  const activity = createActivity(deps, conversationId, turnId)
  const frame: TurnFrame = { activity, signal: controller.signal, quitting: () => quitting }

  async function run(): Promise<void> {
    await Promise.resolve() // The caller has its turn in hand before anything happens in it.
    const { end, wanted } = await work.run(frame)
    const told = onEnd(end, wanted)
    if (told) activity.end(told)
  }

  return {
    turnId,
    done: run(),
    stop(how) {
      quitting = how === 'quit'
      controller.abort()
      // Told at once; the messages follow as soon as what was awaited lets go.
      activity.end(work.stopped(frame))
    },
    steered: () => work.steered?.(frame),
    flush: () => work.flush?.(),
  }
}
