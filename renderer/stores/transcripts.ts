// Messages of the conversations that this page has open. A transcript is fetched when it is opened, then kept up to date by
// events: events at or behind the fetched revision are dropped, events that arrive during the fetch wait for it.
// Streamed text is gathered and shown at most every 50 ms, so that a fast model costs few renders.
import { createStore } from 'zustand/vanilla'
import type { Conversation } from '#app/chat/conversation.ts'
import type { EventPayload, HostEvent } from '#app/contract/events.ts'
import type { HostConnection } from '#app/contract/host-connection.ts'
import type { RequestResult } from '#app/contract/requests.ts'
import { type ErrorValue, toErrorValue } from '#app/errors.ts'
import { addDelta, knownLength, type ReadyTranscript, withCallState, withMessage } from './transcript-steps.ts'

type Transcript = { readonly kind: 'loading' } | { readonly kind: 'failed'; readonly error: ErrorValue } | ReadyTranscript

export interface TranscriptsState {
  readonly byConversation: Readonly<Record<string, Transcript>>
}

type Delta = EventPayload<'message.delta'>
export type TranscriptEvent = Extract<
  HostEvent,
  { name: 'conversation.pathChanged' | 'message.changed' | 'message.delta' | 'toolCall.changed' }
>

interface Held {
  openers: number
  revision: number
  /** Events that arrived during a fetch; undefined when none is under way. */
  waiting: TranscriptEvent[] | undefined
  /** Text not shown yet, by message and part. */
  readonly gathered: Map<string, Delta>
  whole: boolean
  /** Number of fetches; only the answer of the latest counts. */
  fetches: number
}

const showEveryMs = 50
const keptUnopened = 6
/** Messages of the first fetch: more than a window shows. */
const openedWith = 100

export function readyTranscriptIn({ byConversation }: TranscriptsState, id: string): ReadyTranscript | undefined {
  const transcript = byConversation[id]
  return transcript?.kind === 'ready' ? transcript : undefined
}

const eventConversation = (event: TranscriptEvent): string =>
  event.name === 'message.changed' ? event.payload.message.conversationId : event.payload.conversationId

export type Transcripts = ReturnType<typeof createTranscripts>

/** `onConversation`: receives the conversation that came with its messages. */
export function createTranscripts(hostConnection: HostConnection, onConversation: (conversation: Conversation) => void) {
  const shown = createShown()
  /** Transcripts in the order of their last opening, oldest first. */
  const held = new Map<string, Held>()
  const gathering = createGathering(held, shown)
  const { fetchNow, applyTo } = createUpdates(hostConnection, held, shown, gathering, onConversation)

  function forget(id: string): void {
    held.delete(id)
    shown.remove(id)
  }

  function makeRoom(): void {
    const idle = [...held].filter(([, one]) => one.openers === 0)
    for (const [id] of idle.slice(0, Math.max(0, idle.length - keptUnopened))) forget(id)
  }

  return {
    store: shown.store,
    ready: shown.ready,
    flush: gathering.flush,
    forget,
    /** Fetches the transcript unless it is there, and keeps it current. Returns its undo. */
    open(id: string): () => void {
      const known = held.get(id)
      const one = known ?? { openers: 0, revision: -1, waiting: undefined, gathered: new Map(), whole: false, fetches: 0 }
      held.delete(id)
      held.set(id, one)
      one.openers++
      if (!known || (!shown.ready(id) && !one.waiting)) void fetchNow(id, one)
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
    /** Fetches the messages before those that are there, if any. */
    wantWhole(id: string): void {
      const one = held.get(id)
      if (!one || one.whole || !shown.ready(id)?.earlier) return
      one.whole = true
      void fetchNow(id, one)
    },
    apply(event: TranscriptEvent): void {
      const id = eventConversation(event)
      const one = held.get(id)
      if (one) applyTo(id, one, event)
    },
    /** Fetches open transcripts again after a new snapshot, and forgets the rest. Stale content shows until then. */
    resync(): void {
      for (const [id, one] of [...held]) {
        if (one.openers === 0) forget(id)
        else void fetchNow(id, one)
      }
    },
    dispose(): void {
      gathering.stop()
      held.clear()
    },
  }
}

function createShown() {
  const store = createStore<TranscriptsState>(() => ({ byConversation: {} }))
  return {
    store,
    ready: (id: string): ReadyTranscript | undefined => readyTranscriptIn(store.getState(), id),
    put(id: string, transcript: Transcript): void {
      store.setState((state) => ({ byConversation: { ...state.byConversation, [id]: transcript } }))
    },
    remove(id: string): void {
      store.setState((state) => {
        const { [id]: _gone, ...byConversation } = state.byConversation
        return { byConversation }
      })
    },
  }
}

/** Gathers text that streams in, and shows that of all transcripts together, `showEveryMs` after the first of it. */
function createGathering(held: ReadonlyMap<string, Held>, { ready, put }: ReturnType<typeof createShown>) {
  let timer: ReturnType<typeof setTimeout> | undefined
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
  return {
    flush,
    /** Returns false where text before `delta` is missing: the transcript has to be fetched again. */
    add(one: Held, transcript: ReadyTranscript, delta: Delta): boolean {
      const key = `${delta.messageId} ${delta.part}`
      const before = one.gathered.get(key)
      const have = before ? before.offset + before.text.length : knownLength(transcript, delta)
      if (have !== delta.offset) return false
      one.gathered.set(key, before ? { ...before, text: before.text + delta.text } : delta)
      timer ??= setTimeout(flush, showEveryMs)
      return true
    },
    stop: (): void => clearTimeout(timer),
  }
}

/** Fetches transcripts and applies events to them; those that come during a fetch are applied after it. */
function createUpdates(
  hostConnection: HostConnection,
  held: ReadonlyMap<string, Held>,
  { ready, put }: ReturnType<typeof createShown>,
  gathering: ReturnType<typeof createGathering>,
  onConversation: (conversation: Conversation) => void,
) {
  async function fetchNow(id: string, one: Held): Promise<void> {
    one.waiting = []
    const fetch = ++one.fetches
    const isStale = (): boolean => held.get(id) !== one || one.fetches !== fetch
    one.gathered.clear()
    if (!ready(id)) put(id, { kind: 'loading' })
    try {
      const answer = await hostConnection.request('conversation.get', one.whole ? { id } : { id, last: openedWith })
      if (isStale()) return
      one.revision = answer.revision
      onConversation(answer.conversation)
      put(id, readyTranscript(answer))
    } catch (error) {
      if (isStale()) return
      one.waiting = undefined
      // A lost connection is not this conversation's failure: what is shown stays, and a new snapshot fetches it again.
      const value = toErrorValue(error)
      if (value.code !== 'link.closed') put(id, { kind: 'failed', error: value })
      return
    }
    const events = one.waiting ?? []
    one.waiting = undefined
    for (const event of events) applyTo(id, one, event)
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
      if (!gathering.add(one, transcript, event.payload)) void fetchNow(id, one)
      return
    }
    gathering.flush()
    const current = ready(id) ?? transcript
    put(
      id,
      event.name === 'message.changed'
        ? withMessage(current, event.payload.message, event.payload.beside)
        : withCallState(current, event.payload),
    )
  }

  return { fetchNow, applyTo }
}

function readyTranscript({ earlier, messages, branches, deleted, beside = [] }: RequestResult<'conversation.get'>): ReadyTranscript {
  return {
    kind: 'ready',
    earlier: earlier ?? 0,
    ids: messages.map((message) => message.id),
    messages: Object.fromEntries([...messages, ...beside].map((message) => [message.id, message])),
    branches: branches ?? {},
    deleted: deleted ?? [],
    beside: beside.map(({ id }) => id),
  }
}
