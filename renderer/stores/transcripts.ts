// Messages of the conversations that this page has open. A transcript is fetched when it is opened, then kept up to
// date by events: those at or behind the fetched revision are dropped, those that come while it is fetched wait.
// Text that streams in is gathered and shown at most every 50 ms, so that a fast model costs few renders.
import { createStore } from 'zustand/vanilla'
import type { Conversation } from '#app/chat/conversation.ts'
import type { EventPayload, HostEvent } from '#app/contract/events.ts'
import type { HostLink } from '#app/contract/link.ts'
import { type ErrorValue, toErrorValue } from '#app/errors.ts'
import { addDelta, knownLength, type ReadyTranscript, withCallState, withMessage } from './transcript-steps.ts'

export type Transcript = { readonly kind: 'loading' } | { readonly kind: 'failed'; readonly error: ErrorValue } | ReadyTranscript

export interface TranscriptsState {
  readonly byConversation: Readonly<Record<string, Transcript>>
}

type Delta = EventPayload<'message.delta'>
type TranscriptEvent = Extract<HostEvent, { name: 'conversation.pathChanged' | 'message.changed' | 'message.delta' | 'toolCall.changed' }>

interface Held {
  openers: number
  revision: number
  /** Set while it is being fetched: what came meanwhile. */
  waiting: TranscriptEvent[] | undefined
  /** Text not shown yet, by message and part. */
  readonly gathered: Map<string, Delta>
  /** All of its messages are wanted, not only the end. */
  whole: boolean
  /** Counts its fetches: only the latest one's answer is taken. */
  fetches: number
}

const showEveryMs = 50
const keptUnopened = 6
/** Messages that a chat opens with: more than a window shows. */
const openedWith = 100

export const conversationOf = (event: TranscriptEvent): string =>
  event.name === 'message.changed' ? event.payload.message.conversationId : event.payload.conversationId

export type Transcripts = ReturnType<typeof createTranscripts>

/** `onConversation`: told of the conversation that came with its messages. */
export function createTranscripts(link: HostLink, onConversation: (conversation: Conversation) => void) {
  const store = createStore<TranscriptsState>(() => ({ byConversation: {} }))
  /** In the order of their last opening, the oldest first. */
  const held = new Map<string, Held>()
  let timer: ReturnType<typeof setTimeout> | undefined

  const put = (id: string, transcript: Transcript): void =>
    store.setState((state) => ({ byConversation: { ...state.byConversation, [id]: transcript } }))

  const ready = (id: string): ReadyTranscript | undefined => {
    const transcript = store.getState().byConversation[id]
    return transcript?.kind === 'ready' ? transcript : undefined
  }

  function forget(id: string): void {
    held.delete(id)
    store.setState((state) => {
      const { [id]: _gone, ...byConversation } = state.byConversation
      return { byConversation }
    })
  }

  async function fetchNow(id: string, one: Held): Promise<void> {
    one.waiting = []
    const fetch = ++one.fetches
    const isStale = (): boolean => held.get(id) !== one || one.fetches !== fetch
    one.gathered.clear()
    if (!ready(id)) put(id, { kind: 'loading' })
    try {
      const answer = await link.request('conversation.get', one.whole ? { id } : { id, last: openedWith })
      if (isStale()) return
      one.revision = answer.revision
      onConversation(answer.conversation)
      put(id, {
        kind: 'ready',
        earlier: answer.earlier ?? 0,
        ids: answer.messages.map((message) => message.id),
        messages: Object.fromEntries(answer.messages.map((message) => [message.id, message])),
        branches: answer.branches ?? {},
        deleted: answer.deleted ?? [],
      })
    } catch (error) {
      if (isStale()) return
      one.waiting = undefined
      // A lost link is not this conversation's failure: what is shown stays, and a new snapshot fetches it again.
      const value = toErrorValue(error)
      if (value.code !== 'link.closed') put(id, { kind: 'failed', error: value })
      return
    }
    const events = one.waiting ?? []
    one.waiting = undefined
    for (const event of events) applyTo(id, one, event)
  }

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    for (const [id, one] of held) {
      const before = ready(id)
      if (!before || one.gathered.size === 0) continue
      let transcript = before
      for (const delta of one.gathered.values()) transcript = addDelta(transcript, delta)
      one.gathered.clear()
      put(id, transcript)
    }
  }

  function gather(id: string, one: Held, transcript: ReadyTranscript, delta: Delta): void {
    const key = `${delta.messageId} ${delta.part}`
    const before = one.gathered.get(key)
    const have = before ? before.offset + before.text.length : knownLength(transcript, delta)
    if (have !== delta.offset) {
      void fetchNow(id, one)
      return
    }
    one.gathered.set(key, before ? { ...before, text: before.text + delta.text } : delta)
    timer ??= setTimeout(flush, showEveryMs)
  }

  function applyTo(id: string, one: Held, event: TranscriptEvent): void {
    if (one.waiting) {
      one.waiting.push(event)
      return
    }
    if (event.revision <= one.revision) return
    one.revision = event.revision
    const transcript = ready(id)
    if (!transcript) return
    if (event.name === 'conversation.pathChanged') {
      void fetchNow(id, one)
      return
    }
    if (event.name === 'message.delta') {
      gather(id, one, transcript, event.payload)
      return
    }
    flush()
    const current = ready(id) ?? transcript
    put(id, event.name === 'message.changed' ? withMessage(current, event.payload.message) : withCallState(current, event.payload))
  }

  function makeRoom(): void {
    const idle = [...held].filter(([, one]) => one.openers === 0)
    for (const [id] of idle.slice(0, Math.max(0, idle.length - keptUnopened))) forget(id)
  }

  return {
    store,
    flush,
    forget,
    /** Fetches it if need be and keeps it current. Returns its undo. */
    open(id: string): () => void {
      const known = held.get(id)
      const one = known ?? { openers: 0, revision: -1, waiting: undefined, gathered: new Map(), whole: false, fetches: 0 }
      held.delete(id)
      held.set(id, one)
      one.openers++
      if (!known || (!ready(id) && !one.waiting)) void fetchNow(id, one)
      return () => {
        one.openers--
        makeRoom()
      }
    },
    openIds: (): string[] => [...held].flatMap(([id, one]) => (one.openers > 0 ? [id] : [])),
    retry(id: string): void {
      const one = held.get(id)
      if (one && !one.waiting) void fetchNow(id, one)
    },
    /** Fetches what stands before the messages that are there, if anything does. */
    wantWhole(id: string): void {
      const one = held.get(id)
      if (!one || one.whole || !ready(id)?.earlier) return
      one.whole = true
      void fetchNow(id, one)
    },
    apply(event: TranscriptEvent): void {
      const id = conversationOf(event)
      const one = held.get(id)
      if (one) applyTo(id, one, event)
    },
    /** After a new snapshot: what is open is fetched again, the rest forgotten. Stale content shows until then. */
    resync(): void {
      for (const [id, one] of [...held]) {
        if (one.openers === 0) forget(id)
        else void fetchNow(id, one)
      }
    },
    dispose(): void {
      clearTimeout(timer)
      held.clear()
    },
  }
}
