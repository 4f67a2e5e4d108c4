// The agent loop: an answer, its tool calls, the next answer, until the model has no more calls, the steps are used up,
// the person stops it, or something fails. One object a turn; it owns the turn's signal.
import type { Activity } from '#app/chat/conversation.ts'
import { toErrorValue } from '#app/errors.ts'
import { createActivity } from './activity.ts'
import type { ChatOptions } from './deps.ts'
import { settleMessages } from './recover.ts'
import type { RunningCalls } from './running.ts'
import { runStep } from './step.ts'
import type { ToldRoots } from './told-roots.ts'
import { runCalls } from './tool-calls.ts'
import type { MessageWriter } from './writer.ts'

export interface Turn {
  readonly turnId: string
  /** Never rejects. */
  readonly done: Promise<void>
  stop(how: 'stopped' | 'quit'): void
  flush(): void
}

export interface TurnOptions {
  readonly deps: ChatOptions
  readonly conversationId: string
  readonly turnId: string
  readonly running: RunningCalls
  readonly toldRoots: ToldRoots
  /** Before the last activity is told, so that whoever hears it may begin the next turn. */
  readonly onEnd: () => void
}

export function startTurn({ deps, conversationId, turnId, running, toldRoots, onEnd }: TurnOptions): Turn {
  const controller = new AbortController()
  const activity = createActivity(deps, conversationId, turnId)
  let quitting = false
  let writer: MessageWriter | undefined

  async function loop(): Promise<Activity> {
    const context = {
      deps,
      conversationId,
      turnId,
      activity,
      running,
      toldRoots,
      signal: controller.signal,
      quitting: () => quitting,
      onWriter: (begun: MessageWriter) => {
        writer = begun
      },
    }
    for (let steps = 0; steps < deps.settings().stepLimit; steps += 1) {
      const answer = await runStep(context)
      if (answer.calls().length === 0) return { kind: 'idle' }
      const stop = await runCalls(context, answer)
      if (controller.signal.aborted) return quitting ? { kind: 'interrupted', turnId } : { kind: 'idle' }
      if (stop) return { kind: 'idle' }
    }
    return { kind: 'paused', turnId, reason: 'step-limit' }
  }

  function afterFailure(error: unknown): Activity {
    deps.onError?.(error)
    if (controller.signal.aborted) return quitting ? { kind: 'interrupted', turnId } : { kind: 'idle' }
    const value = toErrorValue(error)
    if (value.code === 'internal') deps.log.error('a turn failed', error)
    return { kind: 'failed', turnId, error: value }
  }

  async function run(): Promise<void> {
    await Promise.resolve() // The caller has its turn in hand before anything happens in it.
    const end = await loop().catch(afterFailure)
    if (end.kind === 'failed') trySettling(deps, conversationId)
    onEnd()
    activity.end(end)
  }

  return {
    turnId,
    done: run(),
    stop(how) {
      quitting = how === 'quit'
      controller.abort()
      // Told at once; the messages follow as soon as what was awaited lets go.
      activity.end(quitting ? { kind: 'interrupted', turnId } : { kind: 'idle' })
    },
    flush: () => writer?.flush(),
  }
}

/** After a failure of the store, calls may stand as open that are not. */
function trySettling(deps: ChatOptions, conversationId: string): void {
  try {
    settleMessages(deps, deps.store.conversations.messages(conversationId))
  } catch (error) {
    deps.onError?.(error)
    deps.log.error('a failed turn could not be written', error)
  }
}
