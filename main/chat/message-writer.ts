// The one owner of an assistant message while it is streamed and its calls run. Whatever changes it is committed before it is
// told, except streamed text and word of how a call goes, which are told in batches and committed behind. Text as it streams,
// in batches: told at most every 40 ms, kept at most every 250 ms. It holds no text of its own beyond the batch; the message it
// belongs to is the writer's.

import type { AssistantMessage, AssistantPart, ToolCall, ToolCallState } from '#app/chat/message.ts'
import { nextCallState, type ToolCallEvent } from '#app/chat/next-call-state.ts'
import type { Json } from '#app/json.ts'
import type { Clock } from '#main/base/clock.ts'
import type { Emit } from '#main/base/events.ts'
import type { Store } from '#main/store/store-api.ts'

export interface Delta {
  readonly part: number
  readonly offset: number
  readonly text: string
}
export interface DeltaBatcher {
  /** `offset`: how much of the part there was before. */
  add(part: number, offset: number, text: string): void
  /** Tells what is waiting, now. */
  tell(): void
  /** Forgets what is waiting and stops the timers: the whole message is about to be told and kept. */
  clear(): void
}

export const TELL_EVERY_MS = 40
export const KEEP_EVERY_MS = 250

export function createDeltaBatcher(options: { clock: Clock; onTell: (delta: Delta) => void; onKeep: () => void }): DeltaBatcher {
  const { clock, onTell, onKeep } = options
  let waiting: Delta | undefined
  let toldAt = Number.NEGATIVE_INFINITY
  let cancelTell: (() => void) | undefined
  let cancelKeep: (() => void) | undefined

  function tell(): void {
    cancelTell?.()
    cancelTell = undefined
    if (!waiting) return
    const delta = waiting
    waiting = undefined
    toldAt = clock.now()
    onTell(delta)
  }
  return {
    add(part, offset, text) {
      if (waiting && waiting.part !== part) tell()
      waiting = waiting ? { ...waiting, text: waiting.text + text } : { part, offset, text }
      cancelKeep ??= clock.after(KEEP_EVERY_MS, () => {
        cancelKeep = undefined
        onKeep()
      })
      const due = toldAt + TELL_EVERY_MS - clock.now()
      if (due <= 0) tell()
      else cancelTell ??= clock.after(due, tell)
    },
    tell,
    clear() {
      cancelTell?.()
      cancelKeep?.()
      cancelTell = undefined
      cancelKeep = undefined
      waiting = undefined
    },
  }
}

export interface MessageWriter {
  message(): AssistantMessage
  /** Returns its number. */
  addPart(part: AssistantPart): number
  replacePart(index: number, part: AssistantPart): void
  /** To a text or thinking part. Throws what an earlier commit behind it ran into. */
  append(part: number, text: string): void
  calls(): readonly ToolCall[]
  call(callId: string): ToolCall | undefined
  /** The step and the changed arguments are committed as one. Returns the new state. */
  step(callId: string, event: ToolCallEvent, also?: CallChange): ToolCallState
  /** Kept and told with the next change. */
  note(change: Pick<AssistantMessage, 'usage' | 'estimate'>): void
  finish(change: Partial<AssistantMessage>): void
  /** Commits and tells what is waiting. */
  flush(): void
  /** All its calls have ended: others change the message from now on, and a step that comes late changes the stored one. */
  release(): void
}
interface CallChange {
  readonly arguments?: Json
}

const PROGRESS_EVERY_MS = 100

export function createWriter(deps: { store: Store; emit: Emit; clock: Clock }, begun: AssistantMessage): MessageWriter {
  const { store, emit, clock } = deps
  let message: AssistantMessage = begun
  let unkept = false
  let released = false
  let failure: { readonly error: unknown } | undefined
  let progressToldAt = Number.NEGATIVE_INFINITY

  const batcher = createDeltaBatcher({ clock, onTell: tellDelta, onKeep: keepBehind })

  function tellDelta({ part, offset, text }: Delta): void {
    emit('message.delta', { conversationId: message.conversationId, messageId: message.id, part, offset, text })
  }
  function keepBehind(): void {
    if (!unkept) return
    try {
      commit()
    } catch (error) {
      failure ??= { error } // A timer has nobody to throw to; the stream hears of it with its next piece.
    }
  }
  function commit(): void {
    store.conversations.putMessage(message)
    unkept = false
  }
  function change(next: AssistantMessage): void {
    batcher.clear()
    message = next
    commit()
    emit('message.changed', { message })
  }

  /** Nothing is awaited between this and the commit: no other change comes between. */
  function storedMessage(): AssistantMessage {
    const stored = store.conversations.message(message.id)
    return stored?.role === 'assistant' ? stored : message
  }

  change(begun)
  return {
    message: () => message,
    addPart(part) {
      change({ ...message, parts: [...message.parts, part] })
      return message.parts.length - 1
    },
    replacePart: (index, part) => change(withPart(message, index, part)),
    append(index, text) {
      if (failure) throw failure.error
      const part = message.parts[index]
      if (part === undefined || part.kind === 'tool-call' || text === '') return
      message = withPart(message, index, { ...part, text: part.text + text })
      unkept = true
      batcher.add(index, part.text.length, text)
    },
    calls: () => message.parts.flatMap((part) => (part.kind === 'tool-call' ? [part.call] : [])),
    call: (callId) => findCall(message, callId)?.call,
    step(callId, event, also = {}) {
      if (released) message = storedMessage()
      const found = findCall(message, callId)
      if (!found) return { kind: 'cancelled' }
      const state = nextCallState(found.call.state, event)
      if (state === found.call.state) return state
      const call: ToolCall = { ...found.call, state, ...(also.arguments === undefined ? {} : { arguments: also.arguments }) }
      const before = message
      message = withPart(message, found.index, { kind: 'tool-call', call })
      const told = { conversationId: message.conversationId, messageId: message.id, callId, state, ...argumentsOf(also) }
      if (event.kind === 'progressed') {
        unkept = true
        if (clock.now() - progressToldAt < PROGRESS_EVERY_MS) return state
        progressToldAt = clock.now()
      } else if (event.kind === 'overdue') {
        unkept = true // Nothing of it outlives this run.
      } else {
        try {
          commit()
        } catch (error) {
          message = before // What was not committed has not happened.
          throw error
        }
      }
      emit('toolCall.changed', told)
      return state
    },
    note(more) {
      message = { ...message, ...more }
      unkept = true
    },
    finish: (last) => change({ ...message, ...last }),
    flush() {
      batcher.tell()
      if (unkept) commit()
    },
    release() {
      released = true
      unkept = false // How each call ended was committed.
    },
  }
}

const argumentsOf = (change: CallChange): { arguments?: Json } => (change.arguments === undefined ? {} : { arguments: change.arguments })

const withPart = (message: AssistantMessage, index: number, part: AssistantPart): AssistantMessage => ({
  ...message,
  parts: message.parts.with(index, part),
})

function findCall(message: AssistantMessage, callId: string): { readonly index: number; readonly call: ToolCall } | undefined {
  for (const [index, part] of message.parts.entries()) {
    if (part.kind === 'tool-call' && part.call.id === callId) return { index, call: part.call }
  }
  return undefined
}
