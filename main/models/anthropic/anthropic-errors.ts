// Errors of Anthropic's API by status and type, and by what all vendors mean (`refusal-kinds.ts`). Messages are the
// host's; the API's own is kept as data without the key, since a proxy may echo headers.
import { APIConnectionError, APIError, APIUserAbortError } from '@anthropic-ai/sdk'
import { HostError, type HostErrorCode } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { defined } from '#app/or-else.ts'
import { causeOf, endpointHost, hostErrorInCause, notSecure, retryAfterOf, withoutKey } from '../http-errors.ts'
import { readErrorBody } from '../openai-chat/openai-errors.ts'
import { contextNamedIn, refusalKind, sentenceOf } from '../refusal-kinds.ts'

/** Classifies an error; an `error` event in a stream has a type but no status. */
function codeOf({ status, type, errorCode }: APIError, message: string): HostErrorCode {
  const kind = refusalKind({ status, words: [type, errorCode].filter((word) => typeof word === 'string'), message })
  if (kind !== undefined) return kind
  if (status === 529) return 'model.overloaded'
  if (status === 429 || type === 'rate_limit_error') return 'model.rate-limited'
  if (status === 401 || status === 403 || type === 'authentication_error' || type === 'permission_error') return 'model.key-refused'
  if (status === 404 || type === 'not_found_error') return 'model.unknown'
  if ((status !== undefined && status >= 500) || type === 'api_error' || type === 'timeout_error') return 'model.server-error'
  return 'model.request-refused'
}

export interface ErrorContext {
  /** The person's name for the endpoint; default: Anthropic. */
  readonly name?: string
  readonly key: string
  readonly model?: string
  readonly baseUrl: string
  readonly now: number
}

/** Converts any error of the SDK. `began`: events had come already, so the answer itself is broken. */
export function anthropicError(error: unknown, context: ErrorContext, began = false): HostError {
  if (error instanceof HostError) return error
  if (error instanceof APIUserAbortError) return new HostError('cancelled', t`It was cancelled.`)
  const told = hostErrorInCause(error)
  if (told) return told
  if (error instanceof APIConnectionError) {
    const host = endpointHost(context.baseUrl)
    return (
      notSecure(error, host) ??
      new HostError(
        'model.offline',
        context.name === undefined
          ? t`Anthropic's API at ${host} could not be reached.`
          : t`${context.name} at ${host} could not be reached.`,
        { data: causeOf(error) },
      )
    )
  }
  if (error instanceof APIError) return statusError(error, context)
  return began
    ? new HostError('model.bad-answer', t`The answer broke off.`, { data: causeOf(error) })
    : new HostError('model.bad-answer', t`What ${endpointHost(context.baseUrl)} sent is not an answer of Anthropic's API.`)
}

function statusError(error: APIError, context: ErrorContext): HostError {
  const { name = 'Anthropic' } = context
  const status = error.status as number | undefined
  // A gateway may have another form of error.
  const message = error.apiMessage ?? readErrorBody(error.error).message
  const code = codeOf(error, message)
  const retryAfterMs = retryAfterOf(error.headers as Headers | undefined, context.now)
  const data = defined({
    status,
    type: error.type || undefined,
    detail: withoutKey(message, context.key).slice(0, 2000) || undefined,
    requestId: error.requestID || undefined,
    retryAfterMs,
    contextTokens: code === 'model.too-long' ? contextNamedIn(message) : undefined,
    model: context.model,
  })
  return new HostError(code, sentenceOf(code, name), { data })
}
