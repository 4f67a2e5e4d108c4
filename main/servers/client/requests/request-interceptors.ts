// Everything that happens to a request between its caller and the SDK's client, as a list of interceptors. Their order matters: a request
// is on record before anything else is done with it, and what was not negotiated is refused before the connection is touched.
import { LOG_LEVEL_META_KEY, SdkError, SdkErrorCode } from '@modelcontextprotocol/client'
import { HostError } from '#app/errors.ts'
import { isJsonObject } from '#app/json.ts'
import { isAtLeast } from '#app/server/server-state.ts'
import { doneWithin } from '#main/base/abort.ts'
import { isProtocolError } from '#main/base/protocol-error.ts'
import { isHeaderMismatch, mirroredHeaders, mirrorsIn } from '#main/servers/transport/http/mirrored-headers.ts'
import { revisionLost } from '#main/servers/transport/protocol-versions.ts'
import { missingCapabilityOf, notOffered } from './capability-check.ts'
import { afterCloseMs, toFailure } from './connection-errors.ts'
import { answerRounds } from './multi-round-trip.ts'
import { auditRequest } from './request-audit.ts'
import type { ClientRequest, Interceptor, RequestContext, RequestServices, SendRequest } from './request-context.ts'
import { outcomeOf } from './request-outcome.ts'
import { completeUrlElicitations, urlElicitationsIn } from './url-elicitation.ts'

/** All interceptors, from the caller to the wire. */
export const requestInterceptors = ({ audit, logLevel, refreshTool }: RequestServices): readonly Interceptor[] => [
  auditRequest(audit),
  mirrorToolHeaders(refreshTool),
  nameUnknownOutcome,
  requireCapability,
  sendLogLevel(logLevel),
  openRequiredUrls,
  nameFailure,
  endWithConnection,
  answerQuestions,
]

/** Joins interceptors, the outermost first, to one function; `send` is what the innermost calls. */
export const withInterceptors = (interceptors: readonly Interceptor[], send: SendRequest): SendRequest =>
  interceptors.reduceRight<SendRequest>((next, intercept) => (request, context) => intercept(request, context, next), send)

/**
 * Sends the HTTP headers that a tool asks for (MCP 2026-07-28, "Custom headers"). A call that is refused because they do not
 * match is made once more with those that the tool asks for by now, if nothing else that was approved has changed.
 */
export const mirrorToolHeaders =
  (refreshTool: RequestServices['refreshTool']): Interceptor =>
  async (request, context, next) => {
    const { connection, tool, signal, timeout } = context
    if (!tool) return next(request, context)
    const withHeaders = (schema: typeof tool.inputSchema): ClientRequest => {
      const mirrors = mirrorsIn(schema, connection.session)
      if (mirrors?.kind !== 'valid') return request
      return { ...request, headers: mirroredHeaders(mirrors.mirrors, request.params['arguments'] ?? null) }
    }
    try {
      return await next(withHeaders(tool.inputSchema), context)
    } catch (error) {
      if (!isHeaderMismatch(error)) throw error
      const resume = timeout?.pause()
      const now = await refreshTool(tool, signal).finally(resume)
      signal.throwIfAborted()
      return next(withHeaders(now.inputSchema), context)
    }
  }

const replaceError =
  (change: (error: unknown, context: RequestContext) => Promise<unknown>): Interceptor =>
  (request, context, next) =>
    next(request, context).catch(async (error: unknown) => {
      throw await change(error, context)
    })

export const nameUnknownOutcome = replaceError(async (error, { tool, connection }) =>
  tool ? outcomeOf(error, connection.server, tool.name) : error,
)

/** Refuses a request that the server did not declare (MCP, "Capability negotiation") or that its revision does not have. */
export const requireCapability: Interceptor = async (request, context, next) => {
  const refusal = missingCapabilityOf(request.method, context.connection)
  if (refusal !== undefined) throw notOffered(context.connection.server, request.method, refusal)
  return next(request, context)
}

/** Adds the log level to each request of a modern server (2026-07-28 has no `logging/setLevel`): an agent may want to know more. */
export const sendLogLevel =
  (logLevel: RequestServices['logLevel']): Interceptor =>
  (request, context, next) => {
    const { session, capabilities } = context.connection
    if (session.era !== 'modern' || capabilities.logging === undefined) return next(request, context)
    const given = request.params['_meta']
    const [own, wanted] = [logLevel(), context.call?.forward?.logLevel]
    const meta = { [LOG_LEVEL_META_KEY]: wanted && isAtLeast(own, wanted) ? wanted : own, ...(isJsonObject(given) ? given : {}) }
    return next({ ...request, params: { ...request.params, _meta: meta } }, context)
  }

/** Opens the pages that a legacy server wants visited first (`URLElicitationRequiredError`); the request still fails. */
export const openRequiredUrls = replaceError(async (error, context) => {
  const pages = context.connection.session.era === 'modern' ? undefined : urlElicitationsIn(error)
  return pages ? completeUrlElicitations(pages, context) : error
})

/** Makes one of the host's errors of whatever a request failed with; a protocol error from the server stays one. */
export const nameFailure = replaceError(async (error, { connection, signal }) => {
  if (signal.aborted) return signal.reason
  const { server, session, pid, ended, clock } = connection
  if (error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed) return (await ended).error
  const failure = connection.over ?? toFailure(server, error)
  if (isProtocolError(failure)) {
    const changed = revisionLost(server, session.protocolVersion, failure)
    if (changed) connection.lose(changed)
    return changed ?? failure
  }
  // Pipes close or break a moment before it is known how the process ended.
  const broke = pid !== undefined && failure.code === 'server.connection-lost'
  return broke && (await doneWithin(ended, clock, afterCloseMs)) ? (await ended).error : failure
})

/** @throws {HostError} as soon as the connection is over or the caller has cancelled, whatever becomes of the request */
export const endWithConnection: Interceptor = async (request, context, next) => {
  const { connection, signal } = context
  if (connection.over) throw connection.over
  const lost = connection.disconnects.watch()
  const aborted = Promise.withResolvers<never>()
  const wire = new AbortController()
  const onAbort = (): void => {
    wire.abort(cancelReason(signal.reason))
    aborted.reject(signal.reason)
  }
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  const result = next(request, { ...context, wireSignal: wire.signal })
  try {
    return await Promise.race([result, lost.promise, aborted.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
    lost.release()
    // The losers of the race have nobody left to tell.
    for (const loser of [result, aborted.promise]) loser.catch(() => undefined)
  }
}

/** Words that a server reads in `notifications/cancelled`. */
function cancelReason(reason: unknown): string {
  if (reason instanceof HostError) return reason.message
  return reason instanceof DOMException && reason.name === 'TimeoutError' ? 'There was no answer in time.' : 'It was cancelled.'
}

/** Answers what the server asks in place of a result (MCP 2026-07-28, "Multi Round-Trip Requests"), and sends the request again. */
export const answerQuestions: Interceptor = async (request, context, next) => {
  const result = await next(request, context)
  return result['resultType'] === 'input_required' ? answerRounds(result, request, context, next) : result
}
