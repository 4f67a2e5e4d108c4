// The one owner of an assistant message while it is streamed and its calls run. Each change is committed before it is emitted,
// except streamed text and the progress of a call: those are emitted in batches and committed afterwards.
import type { AssistantMessage, AssistantPart, ToolCall, ToolCallState } from '#app/chat/message.ts'
import { nextCallState, type ToolCallEvent } from '#app/chat/next-call-state.ts'
import type { CallMarks } from '#app/consent/taint/private-flow.ts'
import type { EventPayload } from '#app/contract/events.ts'
import type { Json } from '#app/json.ts'
import type { Clock } from '#main/base/clock.ts'
import type { ChatContext } from './chat-context.ts'
import { callsIn } from './message-calls.ts'

export type Delta = Pick<EventPayload<'message.delta'>, 'part' | 'offset' | 'text'>

/** Milliseconds between two deltas that are emitted, and between two commits. */
export const TELL_EVERY_MS = 40
export const KEEP_EVERY_MS = 250

export function createDeltaBatcher(options: { clock: Clock; onTell: (delta: Delta) => void; onKeep: () => void }) {
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
    /** Adds text to the batch. `offset`: length of the part before it. */
    add(part: number, offset: number, text: string): void {
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
    /** Drops the batch and stops the timers: the whole message is about to be emitted and committed. */
    clear(): void {
      cancelTell?.()
      cancelKeep?.()
      cancelTell = undefined
      cancelKeep = undefined
      waiting = undefined
    },
  }
}

/** Members of a call that change with its state. */
type ChangedCall = { readonly arguments?: Json; readonly marks?: CallMarks | undefined }

export type MessageWriter = ReturnType<typeof createWriter>

const PROGRESS_EVERY_MS = 100

export function createWriter(chat: Pick<ChatContext, 'store' | 'emit' | 'clock'>, begun: AssistantMessage) {
  const { store, emit, clock } = chat
  let message: AssistantMessage = begun
  let unkept = false
  let released = false
  let failure: { readonly error: unknown } | undefined
  let progressToldAt = Number.NEGATIVE_INFINITY

  const onTell = (delta: Delta): void => emit('message.delta', { conversationId: message.conversationId, messageId: message.id, ...delta })
  const batcher = createDeltaBatcher({ clock, onTell, onKeep: keepBehind })

  function keepBehind(): void {
    if (!unkept) return
    try {
      commit()
    } catch (error) {
      failure ??= { error } // A timer has no caller to throw to: the next `append` throws it.
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

  /** Reads the message anew. Nothing is awaited between this and the commit, so no other change comes between. */
  function storedMessage(): AssistantMessage {
    const stored = store.conversations.message(message.id)
    return stored?.role === 'assistant' ? stored : message
  }

  change(begun)
  return {
    message: () => message,
    addPart(part: AssistantPart): number {
      change({ ...message, parts: [...message.parts, part] })
      return message.parts.length - 1
    },
    replacePart: (index: number, part: AssistantPart): void => change(withPart(message, index, part)),
    /** Appends to a text or thinking part. @throws {HostError} the error of an earlier commit by a timer */
    append(index: number, text: string): void {
      if (failure) throw failure.error
      const part = message.parts[index]
      if ((part?.kind !== 'text' && part?.kind !== 'thinking') || text === '') return
      message = withPart(message, index, { ...part, text: part.text + text })
      unkept = true
      batcher.add(index, part.text.length, text)
    },
    calls: (): readonly ToolCall[] => callsIn(message),
    call: (callId: string): ToolCall | undefined => findCall(message, callId)?.call,
    /** Commits the next state of a call together with its changed arguments. Returns the new state. */
    step(callId: string, event: ToolCallEvent, { marks, ...changed }: ChangedCall = {}): ToolCallState {
      if (released) message = storedMessage()
      const found = findCall(message, callId)
      if (!found) return { kind: 'cancelled' }
      const state = nextCallState(found.call.state, event)
      if (state === found.call.state) return state
      const before = message
      message = withPart(message, found.index, { kind: 'tool-call', call: { ...found.call, state, ...changed, ...(marks && { marks }) } })
      if (event.kind === 'progressed') {
        unkept = true
        if (clock.now() - progressToldAt < PROGRESS_EVERY_MS) return state
        progressToldAt = clock.now()
      } else if (event.kind === 'overdue') {
        unkept = true // It has no meaning after this run.
      } else {
        try {
          commit()
        } catch (error) {
          message = before // What was not committed has not happened.
          throw error
        }
      }
      emit('toolCall.changed', { conversationId: message.conversationId, messageId: message.id, callId, state, ...changed })
      return state
    },
    /** Sets figures that are committed and emitted with the next change. */
    note(figures: Pick<AssistantMessage, 'usage' | 'estimate'>): void {
      message = { ...message, ...figures }
      unkept = true
    },
    finish: (last: Partial<AssistantMessage>): void => change({ ...message, ...last }),
    flush(): void {
      batcher.tell()
      if (unkept) commit()
    },
    /** Gives the message up once all its calls have ended: a step that comes later changes the stored message. */
    release(): void {
      released = true
      unkept = false // How each call ended was committed.
    },
  }
}

const withPart = (message: AssistantMessage, index: number, part: AssistantPart): AssistantMessage => ({
  ...message,
  parts: message.parts.with(index, part),
})

function findCall(message: AssistantMessage, callId: string): { readonly index: number; readonly call: ToolCall } | undefined {
  const index = message.parts.findIndex((part) => part.kind === 'tool-call' && part.call.id === callId)
  const part = message.parts[index]
  return part?.kind === 'tool-call' ? { index, call: part.call } : undefined
}
