// What the errors of every HTTP API have in common.
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Json } from '#app/json.ts'

/** Milliseconds, from `retry-after-ms` or `retry-after` (seconds or a date). Undefined: it does not say. */
export function retryAfterOf(headers: Headers | undefined, now: number): number | undefined {
  const precise = Number.parseFloat(headers?.get('retry-after-ms') ?? '')
  if (precise >= 0) return precise
  const value = headers?.get('retry-after')
  if (!value) return undefined
  const seconds = Number(value)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

export const withoutKey = (text: string, key: string): string => (key === '' ? text : text.replaceAll(key, '[key]'))

export function endpointHost(url: string): string {
  return URL.canParse(url) ? new URL(url).host : t`the configured address`
}

/** One of ours, which an SDK has put into its own. */
export function hostErrorInCause(error: unknown): HostError | undefined {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) if (cause instanceof HostError) return cause
  return undefined
}

/** The system's code (ENOTFOUND, ECONNREFUSED, …) of the innermost cause. */
export function causeOf(error: unknown): Record<string, Json> {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const code = (cause as { code?: unknown }).code
    if (typeof code === 'string') return { cause: code }
  }
  return {}
}

/** The host was reached and is not believed, or does not speak TLS; undefined: it failed for another reason. */
export function notSecure(error: unknown, host: string, facts: Readonly<Record<string, Json>> = {}): HostError | undefined {
  const data = causeOf(error)
  const cause = String(data['cause'] ?? '')
  if (!/^(CERT_|ERR_TLS|ERR_SSL|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|EPROTO)/.test(cause)) return undefined
  const message = t`The connection to ${host} is not secure: its certificate was not accepted (${cause}).`
  return new HostError('model.endpoint-wrong', message, { cause: error, data: { ...facts, ...data } })
}
