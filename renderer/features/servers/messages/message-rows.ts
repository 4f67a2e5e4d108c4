// What the page keeps of the messages of a server, which of them are shown, and what belongs together. A message in words, and
// what can be taken from it.
import { clockWithMilliseconds } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import type { Json } from '#app/json.ts'
import { type RecordedCall, recordedCall, type WireDirection, type WireKind, type WireMessage } from '#app/server/wire-message.ts'

export const wireKindLabels: Readonly<Record<WireKind, string>> = {
  request: t`request`,
  notification: t`notification`,
  result: t`result`,
  error: t`error`,
  http: 'HTTP',
  other: t`no message`,
}

/** What stands in its row. */
export const headOf = ({ method, http, event, kind }: WireMessage): string =>
  method ?? (kind === 'http' ? (http?.line ?? t`event ${event?.name ?? ''}`.trim()) : wireKindLabels[kind])

export const exactTime = clockWithMilliseconds

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    // Some of it is missing, or it never was JSON.
    return undefined
  }
}

/** One member a line where it is JSON, else as it is. */
export function legible({ text, cut }: WireMessage): string {
  const value = cut ? undefined : parsed(text)
  return value === undefined ? text : JSON.stringify(value, null, 2)
}

export const callIn = ({ text, cut, ...rest }: WireMessage): RecordedCall | undefined =>
  recordedCall({ ...rest, message: cut ? undefined : parsed(text) })

export interface MessagePage {
  readonly messages: readonly WireMessage[]
  /** Those before it were too many to keep, or are cleared. */
  readonly first: number
}
export const noMessages: MessagePage = { messages: [], first: 1 }

/** What the host answered, after what is here: in order and without doubles, and without what the host has no more. */
export function addMessages(page: MessagePage, { messages, first }: MessagePage): MessagePage {
  const last = page.messages.at(-1)?.seq ?? 0
  const fresh = messages.filter(({ seq }) => seq > last)
  if (fresh.length === 0 && first === page.first) return page
  const kept = first === page.first ? page.messages : page.messages.filter(({ seq }) => seq >= first)
  return { messages: [...kept, ...fresh], first }
}

export type MessageKindFilter = 'messages' | 'all' | 'answer' | WireKind

export interface MessageFilter {
  readonly direction: WireDirection | 'both'
  /** `messages`: without the HTTP around them. */
  readonly kind: MessageKindFilter
  /** Empty: every one. */
  readonly method: string
  readonly text: string
}
export const everything: MessageFilter = { direction: 'both', kind: 'messages', method: '', text: '' }

const ofKind = (wanted: MessageKindFilter, kind: WireKind): boolean => {
  if (wanted === 'all') return true
  if (wanted === 'messages') return kind !== 'http'
  if (wanted === 'answer') return kind === 'result' || kind === 'error'
  return wanted === kind
}

/** A message never changes, and is looked through with every letter that is typed. */
const folded = new WeakMap<WireMessage, string>()

function foldedText(message: WireMessage): string {
  const known = folded.get(message)
  if (known !== undefined) return known
  const { method = '', id = '', text, http } = message
  const headers = http?.headers.map(({ name, value }) => `${name}: ${value}`).join('\n') ?? ''
  const made = `${method}\n${id}\n${text}\n${http?.line ?? ''}\n${headers}`.toLowerCase()
  folded.set(message, made)
  return made
}

export function shownMessages(messages: readonly WireMessage[], { direction, kind, method, text }: MessageFilter): readonly WireMessage[] {
  const wanted = text.toLowerCase()
  return messages.filter(
    (one) =>
      (direction === 'both' || one.direction === direction) &&
      ofKind(kind, one.kind) &&
      (method === '' || one.method === method) &&
      (wanted === '' || foldedText(one).includes(wanted)),
  )
}

export const methodsOf = (messages: readonly WireMessage[]): string[] =>
  [...new Set(messages.flatMap(({ method }) => (method === undefined ? [] : [method])))].sort()

export interface Related {
  /** What it answers, tells the progress of or calls off; undefined also where that is gone. */
  readonly origin: WireMessage | undefined
  /** Its result or error. */
  readonly answer: WireMessage | undefined
  /** Progress, and that it was called off. */
  readonly words: readonly WireMessage[]
}

/** By number, what names it as what it belongs to. */
export type Followers = ReadonlyMap<number, readonly WireMessage[]>

export function followersOf(messages: readonly WireMessage[]): Followers {
  const all = new Map<number, WireMessage[]>()
  for (const message of messages) {
    if (message.of === undefined) continue
    const known = all.get(message.of)
    if (known) known.push(message)
    else all.set(message.of, [message])
  }
  return all
}

const isAnswer = ({ kind }: WireMessage): boolean => kind === 'result' || kind === 'error'

export const answerTo = (followers: Followers, { seq }: WireMessage): WireMessage | undefined => followers.get(seq)?.find(isAnswer)

export function relatedTo(messages: readonly WireMessage[], followers: Followers, message: WireMessage): Related {
  const mine = followers.get(message.seq) ?? []
  return {
    origin: message.of === undefined ? undefined : messages.find(({ seq }) => seq === message.of),
    answer: mine.find(isAnswer),
    words: mine.filter((one) => !isAnswer(one)),
  }
}
