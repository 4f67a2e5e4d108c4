// Audit rows for requests in the person's name (resources, prompts, completions) and answers to requests of the server. What cannot be
// put on record is not sent. Lists, pings and log levels hold nothing of the person's and have no row.
import { toErrorValue } from '#app/errors.ts'
import { isJsonObject, type JsonObject } from '#app/json.ts'
import { orElse } from '#app/or-else.ts'
import { maskUrl } from '#app/text/secret-names.ts'
import { newId } from '#main/base/ids.ts'
import { isProtocolError } from '#main/base/protocol-error.ts'
import { textDigest } from '#main/consent/audit-writer.ts'
import type { AuditStore } from '#main/store/store-api.ts'
import type { Interceptor } from './request-context.ts'
import { type Digest, digestOf } from './result-digest.ts'
import type { AskedBy, ServerRequestHandlers } from './server-request-handlers.ts'

type Appender = Pick<AuditStore, 'append'>

const smallDigest = (value: unknown): JsonObject => textDigest(JSON.stringify(value))
const addressOf = ({ uri }: JsonObject): JsonObject => ({ uri: typeof uri === 'string' ? maskUrl(uri) : null })

const sent: Readonly<Record<string, (params: JsonObject) => JsonObject>> = {
  'resources/read': addressOf,
  'resources/subscribe': addressOf,
  'prompts/get': ({ name, arguments: given }) => ({ name: name ?? null, arguments: smallDigest(given ?? {}) }),
  'completion/complete': ({ ref, argument, context }) => ({
    argument: isJsonObject(argument) ? (argument['name'] ?? null) : null,
    values: smallDigest([ref, argument, context]),
  }),
}

/** Puts a request on record: one row before anything is done with it, one for how it ended. */
export const auditRequest =
  (audit: Appender): Interceptor =>
  async (request, context, next) => {
    const { method, params } = request
    const about = Object.hasOwn(sent, method) ? sent[method]?.(params) : undefined
    if (!about) return next(request, context)
    const exchange = { audit, server: context.connection.server, about: { method, ...about }, digest: digestOf }
    return auditExchange(exchange, () => next(request, context))
  }

interface Exchange<T> {
  readonly audit: Appender
  readonly server: string
  readonly about: JsonObject & { readonly method: string }
  readonly digest: (result: T) => Digest | Promise<Digest>
}

/** Runs an exchange in the person's name between two audit rows: one before, one for how it ended. */
export async function auditExchange<T>({ audit, server, about, digest }: Exchange<T>, work: () => Promise<T>): Promise<T> {
  const exchange = { method: about.method, exchangeId: newId() }
  audit.append({ kind: 'exchange', server, decision: 'sent', by: 'person', detail: { ...exchange, ...about } })
  const result = await work().catch((error: unknown) => {
    audit.append({ kind: 'exchange', server, decision: 'failed', detail: { ...exchange, code: codeOf(error) } })
    throw error
  })
  audit.append({ kind: 'exchange', server, decision: 'done', detail: { ...exchange, ...(await digest(result)) } })
  return result
}

/** Wraps the handlers: how each request of a server ended, and how much goes back to it, is on record before it goes. */
export function auditHandlersOf(audit: Appender, handlers: ServerRequestHandlers): ServerRequestHandlers {
  async function recorded<T>(
    method: string,
    { server, call }: AskedBy,
    work: () => Promise<T>,
    about: (result: T) => JsonObject,
  ): Promise<T> {
    const exchange = { method, ...(call ? { callId: call.callId } : {}) }
    const failed = (error: unknown) =>
      audit.append({ kind: 'exchange', server, decision: 'failed', detail: { ...exchange, code: codeOf(error) } })
    const result = await work().catch((error: unknown) => {
      orElse(() => failed(error), undefined) // A refusal holds all the same, also on a full disk.
      throw error
    })
    audit.append({ kind: 'exchange', server, decision: 'answered', detail: { ...exchange, ...about(result) } })
    return result
  }
  return {
    sampling: (params, by) =>
      recorded(
        'sampling/createMessage',
        by,
        async () => handlers.sampling(params, by),
        (result) => ({ model: result.model, ...smallDigest(result) }),
      ),
    elicitation: (params, by) =>
      recorded(
        'elicitation/create',
        by,
        async () => handlers.elicitation(params, by),
        // Of what was filled in not even a digest: short values could be guessed from it.
        ({ action, content }) => ({ action, ...(content ? { fields: Object.keys(content) } : {}) }),
      ),
    roots: (by) =>
      recorded(
        'roots/list',
        by,
        async () => handlers.roots(by),
        ({ roots }) => ({ roots: roots.map(({ uri }) => uri) }),
      ),
  }
}

const codeOf = (error: unknown): string | number => (isProtocolError(error) ? error.code : toErrorValue(error).code)
