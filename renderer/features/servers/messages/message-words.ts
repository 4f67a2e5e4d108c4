// A message in words, and what can be taken from it.

import type { Json } from '#app/json.ts'
import { type RecordedCall, recordedCall } from '#app/server/recorded-call.ts'
import type { WireKind, WireMessage } from '#app/server/wire-message.ts'
import { clockWithMilliseconds } from '#app/words/formats.ts'
import { t } from '#app/words/translate.ts'

export const kindWords: Readonly<Record<WireKind, string>> = {
  request: t`request`,
  notification: t`notification`,
  result: t`result`,
  error: t`error`,
  http: 'HTTP',
  other: t`no message`,
}

/** What stands in its row. */
export const headOf = ({ method, http, event, kind }: WireMessage): string =>
  method ?? (kind === 'http' ? (http?.line ?? t`event ${event?.name ?? ''}`.trim()) : kindWords[kind])

export const exactTime = clockWithMilliseconds

export function parsed(text: string): Json | undefined {
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
