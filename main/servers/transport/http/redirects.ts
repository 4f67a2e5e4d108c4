// Responses that say what to do instead: the server has moved, or wants to be asked later.
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { defined } from '#app/or-else.ts'

interface Refusal {
  readonly status: number
  readonly headers: { get(name: string): string | null }
}

/** Address that a redirect leads to, as the response has it; null: the response is no redirect. */
export const locationOf = ({ status, headers }: Refusal): string | null =>
  [301, 302, 303, 307, 308].includes(status) ? headers.get('location') : null

/** Returns the target, without secrets, of a redirect that must not be followed; undefined: none, or the same origin with the same verb. */
export function movedTo(asked: string, verb: string, response: Refusal): string | undefined {
  const { status } = response
  const location = locationOf(response)
  if (location === null || !URL.canParse(location, asked)) return undefined
  const from = new URL(asked)
  const to = new URL(location, asked)
  const keepsVerb = verb === 'GET' || status === 307 || status === 308
  const upgraded = to.protocol === 'https:' && from.protocol === 'http:' && to.hostname === from.hostname && !from.port && !to.port
  if (keepsVerb && to.username === '' && to.password === '' && (to.origin === from.origin || upgraded)) return undefined
  return `${to.origin}${to.pathname}`
}

/** Error for a redirect to another address, which the person would have to trust: nothing was sent there. */
export const movedError = (server: string, status: number, to: string): HostError =>
  new HostError('server.http-status', t`“${server}” has moved to ${to} (HTTP ${status}). If that is right, change the address.`, {
    data: { server, status, location: to },
  })

/** How long the server asks to be left alone, in milliseconds; undefined: it does not say. */
export function retryAfterMs({ headers }: Refusal, now: number): number | undefined {
  const text = headers.get('retry-after')?.trim()
  if (text === undefined || text === '') return undefined
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const until = Date.parse(text)
  return Number.isNaN(until) ? undefined : Math.max(0, until - now)
}

export function tooManyRequestsError(server: string, waitMs: number | undefined): HostError {
  const message = t`“${server}” gets too many requests (HTTP 429). Try again later.`
  return new HostError('server.http-status', message, { data: { server, status: 429, ...defined({ retryAfterMs: waitMs }) } })
}

/** Whether a status is an error that has nothing to do with signing in. */
export const isErrorStatus = (status: number): boolean => status >= 400 && status !== 401 && status !== 403

export const httpStatusError = (server: string, { status, statusText }: Pick<Response, 'status' | 'statusText'>): HostError =>
  new HostError('server.http-status', t`“${server}” answered with HTTP ${status}${statusText ? ` (${statusText})` : ''}.`, {
    data: { server, status },
  })
