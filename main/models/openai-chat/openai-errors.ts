// Errors of an endpoint by status, code and type; by wording only where vendors have nothing else (a request that is too long, a key that
// is refused with 400). Messages are the host's; the endpoint's own is kept as data without the key.

import { HostError, type HostErrorCode } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject } from '#app/json.ts'
import { defined, parseJson } from '#app/or-else.ts'
import { vendorOf } from '../catalogue/find-entry.ts'
import { causeOf, endpointHost, hostErrorInCause, notSecure, retryAfterOf, waitNamedIn, withoutKey } from '../http-errors.ts'
import { contextNamedIn, refusalKind, sentenceOf } from '../refusal-kinds.ts'

export interface EndpointContext {
  /** The person's name for the endpoint. */
  readonly name: string
  readonly baseUrl: string
  /** The key; '' when it needs none. */
  readonly key: string
  readonly now: number
  /** Default: Node's own, with the certificates that this computer trusts. */
  readonly fetch?: typeof fetch
  readonly model?: string
}

interface HttpFailure {
  readonly status: number | undefined
  readonly headers: Headers | undefined
  /** The body, or its `error`; `undefined` when there is none, or another format. */
  readonly error: unknown
}

/** Codes and wording of Gemini and xAI, which refuse a key with status 400. */
const badKeys = /^(?:api_key_invalid|invalid_api_key|authentication_error)$/i
const badKey = /(?:incorrect|invalid) api key|api key not valid/i

function codeOf({ status, words, message }: ErrorBody, context: EndpointContext): HostErrorCode {
  const kind = refusalKind({ status, words, message })
  if (kind !== undefined) return kind
  if (status === 429 || words.includes('rate_limit_exceeded')) return 'model.rate-limited'
  if (status === 529) return 'model.overloaded'
  const isBadKey = status === 400 && (badKey.test(message) || words.some((word) => badKeys.test(word)))
  if (status === 401 || status === 403 || isBadKey) return context.key === '' ? 'model.key-missing' : 'model.key-refused'
  if (status === 404) return 'model.unknown'
  if (status === undefined || status >= 500) return 'model.server-error'
  return 'model.request-refused'
}

export function failureOf({ status: outer, headers, error }: HttpFailure, context: EndpointContext): HostError {
  const body = readErrorBody(error)
  const status = outer ?? body.status
  // `Not Found` is FastAPI's message for an unknown path.
  if (status === 404 && (error === undefined || body.message === 'Not Found')) return wrongPath(context)
  // A page in place of a refusal is of a gateway or of a check for robots, and says nothing of the key.
  if (status === 403 && headers?.get('content-type')?.includes('html')) return notCompatible(context)
  const { words, message } = body
  const code = codeOf({ words, message, ...defined({ status }) }, context)
  const retryAfterMs = retryAfterOf(headers, context.now) ?? waitNamedIn(typeof error === 'string' ? error : JSON.stringify(error ?? null))
  const detail = withoutKey(message, context.key).slice(0, 2000) || undefined
  const contextTokens = code === 'model.too-long' ? contextNamedIn(message) : undefined
  // Only a program of the person's own can be given a model; a router repeats the words of others.
  const atHome = (vendorOf(context.baseUrl) === undefined && /\bpull/.test(message)) || undefined
  const data = { endpoint: context.name, ...defined({ status, detail, retryAfterMs, contextTokens, atHome, model: context.model }) }
  return new HostError(code, sentenceOf(code, context.name), { data })
}

const wrongPath = ({ name, baseUrl }: EndpointContext): HostError =>
  new HostError(
    'model.endpoint-wrong',
    t`${endpointHost(baseUrl)} answers, but there is nothing at ${new URL(baseUrl).pathname} (404). Most such addresses end in /v1.`,
    { data: { endpoint: name, status: 404 } },
  )

export const notCompatible = ({ name, baseUrl }: EndpointContext): HostError =>
  new HostError('model.endpoint-wrong', t`What answers at ${endpointHost(baseUrl)} does not speak this format.`, {
    data: { endpoint: name },
  })

/** Converts the error of a request without any answer: network, name or certificate. */
export function endpointUnreachable(error: unknown, { name, baseUrl }: EndpointContext): HostError {
  const told = hostErrorInCause(error)
  if (told) return told
  const data = { endpoint: name, ...causeOf(error) }
  const cause = String(causeOf(error)['cause'] ?? '')
  const host = endpointHost(baseUrl)
  const say = (code: HostErrorCode, message: string): HostError => new HostError(code, message, { data })
  if (cause === 'ENOTFOUND' || cause === 'EAI_AGAIN')
    return say('model.offline', t`The network knows no ${URL.canParse(baseUrl) ? new URL(baseUrl).hostname : host}.`)
  if (cause === 'ECONNREFUSED') return say('model.offline', t`Nothing answers at ${host}.`)
  return notSecure(error, host, { endpoint: name }) ?? say('model.offline', t`${name} at ${host} could not be reached.`)
}

export interface ErrorBody {
  /** Codes, types and reasons. */
  readonly words: readonly string[]
  /** Status in the body itself: an error within a stream has no other. */
  readonly status?: number
  /** The vendor's own message; '' when there is none. */
  readonly message: string
}

const DEEPEST = 4

/**
 * Reads the body of an error in the forms that endpoints use: `error` as an object, a sentence or in an array (Gemini), a body without
 * `error` (Mistral, Cohere), `detail` (NVIDIA; a list with FastAPI), a `message` that is an object (Mistral's 422), `param` as a sentence
 * (Xiaomi), and the vendor's body that a router quotes (`metadata.raw` of OpenRouter).
 */
export function readErrorBody(body: unknown, depth = 0): ErrorBody {
  if (depth > DEEPEST) return nothing
  if (typeof body === 'string') return fromText(body, depth)
  if (Array.isArray(body)) return fromList(body, depth)
  if (!isJsonObject(body)) return nothing
  const within = [body['errors'], body['error'], body['upstream_error'], partOf(body['metadata'], 'raw')].map((one) =>
    readErrorBody(one, depth + 1),
  )
  const details = Array.isArray(body['details']) ? body['details'] : []
  const words = [body['code'], body['type'], body['status'], body['error_type'], ...details.map((one) => partOf(one, 'reason'))]
  const status = [body['code'], body['status'], body['status_code']]
    .map(Number)
    .find((one) => Number.isInteger(one) && one >= 400 && one < 600)
  const said = [body['message'], body['Message'], body['detail'], body['msg'], body['title'], body['error_message']].map(
    (one) => readErrorBody(one, depth + 1).message,
  )
  const categories = filteredBy(partOf(body['innererror'], 'content_filter_result'))
  const filtered = categories === '' ? '' : ` (${categories})`
  const inner = within.toReversed().find(({ message }) => message !== '')
  const known = [status, ...within.map((one) => one.status)].find((one) => one !== undefined)
  return {
    words: [...words.filter((word) => typeof word === 'string'), ...within.flatMap((one) => one.words)],
    ...defined({ status: known }),
    message: (inner?.message ?? [said.find((one) => one !== ''), sentenceIn(body['param'])].filter(Boolean).join(': ')) + filtered,
  }
}

/** Returns `param` where it is a sentence; most vendors name a field of the request there. */
const sentenceIn = (param: unknown): string => (typeof param === 'string' && param.trim().includes(' ') ? param.trim() : '')

/** Returns the categories by which Azure filtered, with their severity: `violence: medium`; '' without any. */
export function filteredBy(results: unknown): string {
  const found = Object.entries(isJsonObject(results) ? results : {}).filter(([, one]) => partOf(one, 'filtered') === true)
  return found.map(([name, one]) => [name, partOf(one, 'severity')].filter((part) => typeof part === 'string').join(': ')).join(', ')
}

const nothing: ErrorBody = { words: [], message: '' }
const partOf = (value: unknown, name: string): unknown => (isJsonObject(value) ? value[name] : undefined)

function fromText(text: string, depth: number): ErrorBody {
  const json = text.replace(/^\s*data: ?/, '') // Xiaomi sends errors of a stream as an event.
  const read = readErrorBody(/^\s*[{[]/.test(json) ? parseJson(json) : undefined, depth + 1)
  return read.message === '' ? { words: [], message: text.trim() } : read
}

/** Reads lists of faults and their places, FastAPI's and zod's; of any other list the first item. */
function fromList(list: readonly unknown[], depth: number): ErrorBody {
  const faults = list.filter(isJsonObject).flatMap(({ type, loc, msg, path, message }) => {
    const said = msg ?? (Array.isArray(path) ? message : undefined)
    return typeof said === 'string' ? [{ type, loc: loc ?? path, said }] : []
  })
  if (faults.length === 0) return readErrorBody(list[0], depth + 1)
  const place = (loc: unknown): string => (Array.isArray(loc) && loc.length > 0 ? `${loc.join('.')}: ` : '')
  return {
    words: faults.flatMap(({ type }) => (typeof type === 'string' ? [type] : [])),
    message: faults.map(({ loc, said }) => `${place(loc)}${said}`).join('; '),
  }
}
