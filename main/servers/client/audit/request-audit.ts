// The record of what goes to a server beside tool calls: what the host asks of it in the person's name (a resource, a
// prompt, a suggestion while they type), and what the server gets when it asks the host (an answer of the model, a filled
// form, folders). What cannot be put on record is not sent. Lists, pings and log levels hold nothing of the person's.

import { toErrorValue } from '#app/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import { maskUrl } from '#app/text/secret-names.ts'
import { newId } from '#main/base/ids.ts'
import { isProtocolError } from '#main/base/protocol-error.ts'
import { textDigest } from '#main/consent/audit-writer.ts'
import type { AuditStore } from '#main/store/store-api.ts'
import type { Connection } from '../connection/connection.ts'
import type { AskedBy, ServerRequestHandlers } from '../server-requests/server-request-handlers.ts'
import { type Digest, digestOf } from './result-digest.ts'

type Appender = Pick<AuditStore, 'append'>
type Params = Readonly<Record<string, Json>>

const smallDigest = (value: unknown): JsonObject => textDigest(JSON.stringify(value))
const addressOf = ({ uri }: Params): JsonObject => ({ uri: typeof uri === 'string' ? maskUrl(uri) : null })

/** Of each method that takes something of the person's to a server: what of it is written down. */
const sent: Readonly<Record<string, (params: Params) => JsonObject>> = {
  'resources/read': addressOf,
  'resources/subscribe': addressOf,
  'prompts/get': ({ name, arguments: given }) => ({ name: name ?? null, arguments: smallDigest(given ?? {}) }),
  'completion/complete': ({ ref, argument, context }) => ({
    argument: isJsonObject(argument) ? (argument['name'] ?? null) : null,
    values: smallDigest([ref, argument, context]),
  }),
}

/** The same connection, whose requests are on record: one row before one is sent, one for how it ended. */
export function auditRequests(connection: Connection, audit: Appender): Connection {
  const { server } = connection
  return {
    ...connection,
    async request(method, params, options) {
      const about = Object.hasOwn(sent, method) ? sent[method]?.(params) : undefined
      if (!about) return connection.request(method, params, options)
      return auditExchange({ audit, server, about: { method, ...about }, digest: digestOf }, () =>
        connection.request(method, params, options),
      )
    },
  }
}

interface Exchange<T> {
  readonly audit: Appender
  readonly server: string
  /** What of it is written down before it is sent. */
  readonly about: JsonObject & { readonly method: string }
  /** Of what came. */
  readonly digest: (result: T) => Digest | Promise<Digest>
}

/** What is asked of a server in the person's name, whoever speaks to it: a row before, one for how it ended. */
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

/** The same handlers; how each request of a server ended, and how much went back to it, is on record before it goes. */
export function auditHandlersOf(audit: Appender, handlers: ServerRequestHandlers): ServerRequestHandlers {
  async function recorded<T>(
    method: string,
    { server, callId }: AskedBy,
    work: () => Promise<T>,
    about: (result: T) => JsonObject,
  ): Promise<T> {
    const exchange = { method, ...(callId === undefined ? {} : { callId }) }
    let result: T
    try {
      result = await work()
    } catch (error) {
      try {
        audit.append({ kind: 'exchange', server, decision: 'failed', detail: { ...exchange, code: codeOf(error) } })
      } catch {
        // A refusal holds all the same, also on a full disk.
      }
      throw error
    }
    audit.append({ kind: 'exchange', server, decision: 'answered', detail: { ...exchange, ...about(result) } })
    return result
  }
  return {
    sampling: (params, by) =>
      recorded(
        'sampling/createMessage',
        by,
        () => handlers.sampling(params, by),
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
        () => handlers.roots(by),
        ({ roots }) => ({ roots: roots.map(({ uri }) => uri) }),
      ),
  }
}

const codeOf = (error: unknown): string | number => (isProtocolError(error) ? error.code : toErrorValue(error).code)
