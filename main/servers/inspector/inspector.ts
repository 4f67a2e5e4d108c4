// Records what goes over the wire to one server while the person wants to see it, in memory and for this run alone. Known
// secrets are masked before anything is kept. docs/decisions/0041-inspector.md
import { maskUrl } from '#app/consent/secret-names.ts'
import type { Inspecting, WireMessage } from '#app/server/wire-message.ts'
import type { Clock } from '#main/base/clock.ts'
import { shownHeaders } from './http-line.ts'
import { createJournal, type Journal } from './journal.ts'
import { factsOf, factsOfMessage, parse } from './message-facts.ts'
import { createPairing } from './pairing.ts'
import { type Heard, pieceOf, type Tap } from './tap.ts'

export interface Inspector {
  readonly tap: Tap
  /** Undefined: nothing is recorded. */
  readonly mode: Inspecting | undefined
  inspect(mode: Inspecting | undefined): void
  /** A connection is about to be made; its secrets are known to `mask`. */
  connecting(mask: (text: string) => string): void
  readonly journal: Omit<Journal, 'add'>
}

export interface InspectorOptions {
  readonly clock: Clock
  /** Hides what is secret wherever it came from. */
  readonly mask: (text: string) => string
  readonly onNews: (last: number) => void
  readonly onMode: () => void
}

/** Items of a batch that are told apart. */
const mostInBatch = 100

export function createInspector(options: InspectorOptions): Inspector {
  const { clock, onMode } = options
  const journal = createJournal({ clock, onNews: options.onNews })
  let mode: Inspecting | undefined
  let ofServer = (text: string): string => text
  let pair = createPairing()
  let seq = 0

  const mask = (text: string): string => options.mask(ofServer(text))

  function record(
    { direction, bare = false, http, event, of, ...piece }: Heard,
    facts = bare ? { kind: 'http' as const } : factsOf(piece),
  ): number {
    seq += 1
    const mine = { seq, time: clock.now(), method: 'method' in facts ? facts.method : undefined }
    const origin = of === undefined ? pair(facts, direction, mine) : { seq: of, time: journal.at(of)?.time ?? mine.time, method: undefined }
    const method = mine.method ?? origin?.method
    const cut = piece.tail !== undefined
    const message: WireMessage = {
      seq,
      time: mine.time,
      direction,
      kind: facts.kind,
      ...(method === undefined ? {} : { method: mask(method) }),
      ...('id' in facts && facts.id !== undefined ? { id: facts.id } : {}),
      ...(origin === undefined ? {} : { of: origin.seq, ms: Math.max(0, mine.time - origin.time) }),
      size: piece.size,
      // A mask looks for the beginning of a secret before these dots.
      text: cut ? mask(`${piece.text}…`) : mask(event?.name === 'endpoint' ? withoutQuery(piece.text) : piece.text),
      cut,
      ...(http === undefined ? {} : { http: { line: mask(http.line), headers: shownHeaders(http.headers, mask) } }),
      ...(event === undefined || (event.id === undefined && event.name === undefined) ? {} : { event: shownEvent(event) }),
    }
    journal.add(message)
    return seq
  }

  const shownEvent = ({ id, name }: NonNullable<Heard['event']>): NonNullable<WireMessage['event']> => ({
    ...(id === undefined ? {} : { id: mask(id.slice(0, 200)) }),
    ...(name === undefined ? {} : { name: mask(name.slice(0, 200)) }),
  })

  const tap: Tap = {
    get on() {
      return mode === 'on'
    },
    tell(heard) {
      if (mode !== 'on') return undefined
      const items = !heard.bare && heard.tail === undefined && /^\s*\[/.test(heard.text) ? parse(heard.text) : undefined
      if (!Array.isArray(items) || items.length === 0 || items.length > mostInBatch) return record(heard)
      for (const item of items) record({ ...heard, ...pieceOf(JSON.stringify(item)) }, factsOfMessage(item))
      return undefined
    },
  }

  return {
    tap,
    get mode() {
      return mode
    },
    inspect(next) {
      if (next === mode) return
      mode = next
      onMode()
    },
    connecting(known) {
      ofServer = known
      pair = createPairing()
      if (mode !== 'next-start') return
      journal.clear()
      mode = 'on'
      onMode()
    },
    journal,
  }
}

/** The way in of HTTP+SSE has the session in it. */
const withoutQuery = (text: string): string => (/^https?:/.test(text) ? maskUrl(text) : text.replace(/\?.*$/s, '?•••'))
