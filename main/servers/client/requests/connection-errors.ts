// Maps what the SDK, Node and undici throw to the host's own errors: by type and code, never by text.
import { SdkError, SdkErrorCode, SdkHttpError, UnauthorizedError } from '@modelcontextprotocol/client'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isProtocolError, type ProtocolError } from '#main/base/protocol-error.ts'
import { hostErrorInData } from '#main/servers/transport/stdio/message-envelope.ts'

/** Milliseconds in which a process whose pipes have closed must end; then it is no server any more, alive or not. */
export const afterCloseMs = 1000

/** Returns the HostError that an error is, wraps or carries; undefined: there is none. */
function hostErrorWithin(error: unknown): HostError | undefined {
  let at: unknown = error
  for (let depth = 0; depth < 8 && at instanceof Error; depth += 1) {
    if (at instanceof HostError) return at
    if (isProtocolError(at)) return hostErrorInData(at.data)
    at = at.cause
  }
  return undefined
}

function httpError(server: string, error: SdkHttpError): HostError {
  const { status } = error
  if (status === 401) return new HostError('server.sign-in-needed', t`“${server}” wants you to sign in.`, { data: { server, status } })
  return new HostError(
    'server.http-status',
    t`“${server}” answered with HTTP ${status}${error.statusText ? ` (${error.statusText})` : ''}.`,
    {
      data: { server, status },
      cause: error,
    },
  )
}

/** Makes the host's error of what failed on a connection that stands; a protocol error stays one. */
export function toFailure(server: string, error: unknown): HostError | ProtocolError {
  const own = hostErrorWithin(error)
  if (own) return own
  if (isProtocolError(error)) return error
  if (error instanceof SdkHttpError && error.status !== undefined) return httpError(server, error)
  if (error instanceof UnauthorizedError)
    return new HostError('server.sign-in-needed', t`“${server}” wants you to sign in.`, { data: { server }, cause: error })
  if (error instanceof SdkError) {
    switch (error.code) {
      case SdkErrorCode.ConnectionClosed:
      case SdkErrorCode.NotConnected:
        return new HostError('server.connection-lost', t`The connection to “${server}” was lost.`, { data: { server }, cause: error })
      case SdkErrorCode.RequestTimeout:
        return new HostError('server.connection-lost', t`“${server}” did not answer in time.`, { data: { server }, cause: error })
      default:
        return new HostError('server.protocol', t`“${server}” answered in a way that the protocol does not allow (${error.code}).`, {
          data: { server, reason: error.code },
          cause: error,
        })
    }
  }
  const message = error instanceof Error ? error.message : String(error)
  return new HostError('server.protocol', t`The exchange with “${server}” failed: ${message}`, { data: { server }, cause: error })
}

/** Makes the host's error of what failed while the connection was being made. */
export function toStartFailure(server: string, error: unknown): HostError {
  const own = hostErrorWithin(error)
  if (own) return own
  if (error instanceof SdkHttpError && error.status !== undefined) return httpError(server, error)
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout)
    return new HostError('server.start-timeout', t`“${server}” was started but did not answer.`, { data: { server }, cause: error })
  if (isProtocolError(error))
    return new HostError('server.not-mcp', t`“${server}” refused to begin: ${error.message} (${error.code}).`, {
      data: { server, code: error.code },
      cause: error,
    })
  if (error instanceof SdkError && (error.code === SdkErrorCode.ClientHttpUnexpectedContent || error.code === SdkErrorCode.InvalidResult))
    return new HostError('server.not-mcp', t`What answers for “${server}” is not an MCP server.`, { data: { server }, cause: error })
  if (error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed)
    return new HostError('server.not-mcp', t`“${server}” and Assent could not agree on a protocol revision.`, {
      data: { server },
      cause: error,
    })
  const failure = toFailure(server, error)
  return failure instanceof HostError ? failure : new HostError('server.protocol', failure.message, { data: { server }, cause: error })
}
