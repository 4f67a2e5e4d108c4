// What takes a turn's place in a conversation: an answer, or a summary that was asked for by hand. It has one signal, one
// tracker of its activity and one end, which is told once; the person can stop it, and so can the end of the host.
import type { Activity } from '#app/chat/conversation.ts'
import { type ActivityTracker, createActivity } from './activity.ts'
import type { ChatOptions } from './deps.ts'

export interface Turn {
  readonly turnId: string
  /** Never rejects. */
  readonly done: Promise<void>
  stop(how: 'stopped' | 'quit'): void
  /** The person added a message to it, after it was stopped perhaps. */
  steered(): void
  flush(): void
}

export interface TurnPlace {
  readonly deps: ChatOptions
  readonly conversationId: string
  readonly turnId: string
  /**
   * Before the last activity is told, so that whoever hears it may begin the next turn. `wanted`: what the person added
   * and no model has read is to be answered without asking. Returns what is told; undefined: nothing, another turn has begun.
   */
  readonly onEnd: (end: Activity, wanted: boolean) => Activity | undefined
}

export interface TurnFrame {
  readonly activity: ActivityTracker
  readonly signal: AbortSignal
  readonly quitting: () => boolean
}

export interface TurnWork {
  /** Where it stands as soon as it is told to stop. */
  stopped(frame: TurnFrame): Activity
  /** Never rejects. `wanted` as in `onEnd`. */
  run(frame: TurnFrame): Promise<{ readonly end: Activity; readonly wanted: boolean }>
  steered?(frame: TurnFrame): void
  flush?(): void
}

export function startWork({ deps, conversationId, turnId, onEnd }: TurnPlace, work: TurnWork): Turn {
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
