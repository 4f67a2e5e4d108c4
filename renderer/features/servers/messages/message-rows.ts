// Messages that the page keeps of one server, the filter over them, their labels, and which belong together. Pure.
import { t } from '#app/i18n/translate.ts'
import type { Json } from '#app/json.ts'
import { parseJson } from '#app/or-else.ts'
import { type RecordedCall, recordedCall, type WireDirection, type WireKind, type WireMessage } from '#app/server/wire-message.ts'

export const wireKindLabels: Readonly<Record<WireKind, string>> = {
  request: t`request`,
  notification: t`notification`,
  result: t`result`,
  error: t`error`,
  http: 'HTTP',
  other: t`no message`,
}

/** Heading of a message: its method, or what it is. */
export const headOf = ({ method, http, event, kind }: WireMessage): string =>
  method ?? (kind === 'http' ? (http?.line ?? t`event ${event?.name ?? ''}`.trim()) : wireKindLabels[kind])

/** Undefined: a part of it is missing, or it never was JSON. */
const parsed = ({ text, cut }: WireMessage): Json | undefined => (cut ? undefined : (parseJson(text) as Json | undefined))

/** Text of a message, indented where it is JSON. */
export function legible(message: WireMessage): string {
  const value = parsed(message)
  return value === undefined ? message.text : JSON.stringify(value, null, 2)
}

export const callIn = (message: WireMessage): RecordedCall | undefined => recordedCall({ ...message, message: parsed(message) })

export interface MessagePage {
  readonly messages: readonly WireMessage[]
  /** Number of the first message that the host has: those before were dropped or cleared. */
  readonly first: number
}
export const noMessages: MessagePage = { messages: [], first: 1 }

/** Adds an answer of the host: in order, without doubles, and without messages that the host no longer has. */
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
  /** Empty: any. */
  readonly method: string
  readonly text: string
}
export const everything: MessageFilter = { direction: 'both', kind: 'messages', method: '', text: '' }

const ofKind = (wanted: MessageKindFilter, kind: WireKind): boolean => {
  if (wanted === 'messages') return kind !== 'http'
  if (wanted === 'answer') return kind === 'result' || kind === 'error'
  return wanted === 'all' || wanted === kind
}

/** Lower-case text of messages, which never change and are searched with every key. */
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
  /** Message that it answers, reports on or cancels; undefined: none, or it is gone. */
  readonly origin: WireMessage | undefined
  readonly answer: WireMessage | undefined
  /** Notifications of progress and cancellation. */
  readonly words: readonly WireMessage[]
}

/** Messages that belong to another one, by its number. */
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
