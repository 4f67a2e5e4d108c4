// Requests to Ollama's own API, which lies beside the `/v1` of an endpoint (ollama/ollama, docs/api.md and api/types.go). No redirect is
// followed, since it would carry the key.
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type JsonObject } from '#app/json.ts'
import { parseJson } from '#app/or-else.ts'
import { vouchedFetch } from '#main/base/authorities/certificate-authorities.ts'
import { type EndpointContext, endpointUnreachable, failureOf, notCompatible } from '../openai-chat/openai-errors.ts'

/** Characters of one line; Ollama's own client takes as many (api/client.go, `maxBufferSize`). */
const MOST_LINE = 8_000_000

/** Address of Ollama's API for an endpoint at `<root>/v1`; undefined: it cannot be Ollama. */
export const ollamaRoot = (baseUrl: string): string | undefined => (baseUrl.endsWith('/v1') ? baseUrl.slice(0, -'/v1'.length) : undefined)

export async function askOllama(context: EndpointContext, path: string, signal: AbortSignal, body?: JsonObject): Promise<Response> {
  try {
    return await (context.fetch ?? vouchedFetch)(`${ollamaRoot(context.baseUrl)}${path}`, {
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      headers: {
        accept: body === undefined ? 'application/json' : 'application/x-ndjson',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(context.key === '' ? {} : { authorization: `Bearer ${context.key}` }),
      },
      redirect: 'manual',
      signal,
    })
  } catch (error) {
    throw signal.aborted ? cancelled() : endpointUnreachable(error, context)
  }
}

const cancelled = (): HostError => new HostError('cancelled', t`It was cancelled.`)

/** Yields the lines of a body; the unfinished last one too. */
async function* linesOf({ body }: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of body ?? []) {
    const [first = '', ...others] = decoder.decode(bytes, { stream: true }).split('\n')
    rest += first
    for (const line of others) {
      yield rest
      rest = line
    }
    if (rest.length > MOST_LINE) return
  }
  yield rest
}

/** Yields the JSON values of an answer, one a line. @throws {HostError} `model.*`: a refusal, an error in the middle, a lost connection */
export async function* jsonLines(response: Response, context: EndpointContext, signal: AbortSignal): AsyncGenerator<JsonObject> {
  if (!response.ok) throw await refusalOf(response, context)
  try {
    for await (const line of linesOf(response)) {
      const value = parseJson(line)
      if (!isJsonObject(value)) continue
      const { error } = value
      if (error !== undefined && error !== '')
        throw failureOf({ status: undefined, headers: response.headers, error: typeof error === 'string' ? value : error }, context)
      yield value
    }
  } catch (error) {
    if (error instanceof HostError) throw error
    if (signal.aborted) throw cancelled()
    throw new HostError('model.bad-answer', t`The answer broke off: the connection to ${context.name} was lost.`)
  }
}

async function refusalOf(response: Response, context: EndpointContext): Promise<HostError> {
  const { status, headers } = response
  if (status < 400) return notCompatible(context)
  const text = await response.text().catch(() => '')
  const error = parseJson(text) ?? text.slice(0, 2000)
  if (isJsonObject(error) && typeof error['signin_url'] === 'string')
    return new HostError('model.not-allowed', t`${context.name} has to be signed in at ollama.com for this model: run “ollama signin”.`, {
      data: { endpoint: context.name, status },
    })
  return failureOf({ status, headers, error }, context)
}

/** Resolves to the JSON value of an answer in one piece; undefined: it is none. @throws {HostError} `model.*` */
export async function readOllama(context: EndpointContext, path: string, signal: AbortSignal, body?: JsonObject): Promise<unknown> {
  const response = await askOllama(context, path, signal, body)
  if (!response.ok) throw await refusalOf(response, context)
  const lines: string[] = []
  for await (const line of linesOf(response)) lines.push(line)
  return parseJson(lines.join('\n'))
}
