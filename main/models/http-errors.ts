import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Json } from '#app/json.ts'
import { createMask } from '#main/base/redact-secrets.ts'

/** Milliseconds of `retry-after-ms`, or of `retry-after` (RFC 9110, 10.2.3: seconds or a date); `undefined` without such a header. */
export function retryAfterOf(headers: Headers | undefined, now: number): number | undefined {
  const precise = Number.parseFloat(headers?.get('retry-after-ms') ?? '')
  if (precise >= 0) return precise
  const value = headers?.get('retry-after') ?? headers?.get('x-rate-limit-reset-tokens') // The second is Azure's.
  if (!value) return undefined
  const seconds = Number(value)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

/** Milliseconds that words name: `try again in 6m12.5s` (OpenAI, Groq), `retry after 45 seconds` (Azure), `"retryDelay": "7s"` (Google). */
export function waitNamedIn(words: string): number | undefined {
  const named = /(?:try again in|retry after|retrydelay":) ?"?(?:(\d+)m(?=\d))?(\d+(?:\.\d+)?) ?(ms|s)/i.exec(words)
  if (!named) return undefined
  return Number(named[1] ?? 0) * 60_000 + Number(named[2]) * (named[3]?.toLowerCase() === 'ms' ? 1 : 1000)
}

/** Masks the key in what an endpoint says. */
export const withoutKey = (text: string, key: string): string => createMask([key])(text)

export function endpointHost(url: string): string {
  return URL.canParse(url) ? new URL(url).host : t`the configured address`
}

/** Finds a HostError that an SDK has wrapped into its own error. */
export function hostErrorInCause(error: unknown): HostError | undefined {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) if (cause instanceof HostError) return cause
  return undefined
}

/** Code (ENOTFOUND, ECONNREFUSED, …) of the first cause that has one. */
export function causeOf(error: unknown): Record<string, Json> {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const code = (cause as { code?: unknown }).code
    if (typeof code === 'string') return { cause: code }
  }
  return {}
}

/** Returns the error of a failed TLS handshake; `undefined` for a failure of another kind. */
export function notSecure(error: unknown, host: string, facts: Readonly<Record<string, Json>> = {}): HostError | undefined {
  const data = causeOf(error)
  const cause = String(data['cause'] ?? '')
  if (!/^(CERT_|ERR_TLS|ERR_SSL|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|EPROTO)/.test(cause)) return undefined
  const message = t`The connection to ${host} is not secure: its certificate was not accepted (${cause}).`
  return new HostError('model.endpoint-wrong', message, { cause: error, data: { ...facts, ...data } })
}
