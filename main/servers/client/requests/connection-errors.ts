// Maps what the SDK, Node and undici throw to the host's own errors: by type and code, never by text.
import { SdkError, SdkErrorCode, SdkHttpError, UnauthorizedError } from '@modelcontextprotocol/client'
import { HostError, type HostErrorCode } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { JsonObject } from '#app/json.ts'
import { isProtocolError, type ProtocolError } from '#main/base/protocol-error.ts'
import { hostErrorInData } from '#main/servers/transport/stdio/message-envelope.ts'

/** Milliseconds in which a process whose pipes have closed must end; then it is no server any more, alive or not. */
export const afterCloseMs = 1000

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
  const message = t`“${server}” answered with HTTP ${status}${error.statusText ? ` (${error.statusText})` : ''}.`
  return new HostError('server.http-status', message, { data: { server, status }, cause: error })
}

const errorsOf =
  (server: string, cause: unknown) =>
  (code: HostErrorCode, message: string, data: JsonObject = {}): HostError =>
    new HostError(code, message, { data: { server, ...data }, cause })

/** Makes the host's error of what failed on a connection that stands; a protocol error stays one. */
export function toFailure(server: string, error: unknown): HostError | ProtocolError {
  const own = hostErrorWithin(error)
  if (own) return own
  if (isProtocolError(error)) return error
  if (error instanceof SdkHttpError && error.status !== undefined) return httpError(server, error)
  const failure = errorsOf(server, error)
  if (error instanceof UnauthorizedError) return failure('server.sign-in-needed', t`“${server}” wants you to sign in.`)
  if (!(error instanceof SdkError)) {
    const message = error instanceof Error ? error.message : String(error)
    return failure('server.protocol', t`“${server}” broke the protocol: ${message}`)
  }
  switch (error.code) {
    case SdkErrorCode.ConnectionClosed:
    case SdkErrorCode.NotConnected:
      return failure('server.connection-lost', t`The connection to “${server}” was lost.`)
    case SdkErrorCode.RequestTimeout:
      return failure('server.connection-lost', t`“${server}” did not answer in time.`)
    default: {
      const message = t`“${server}” broke the protocol: ${error.code}`
      return failure('server.protocol', message, { reason: error.code })
    }
  }
}

/** Makes the host's error of what failed while the connection was being made. */
export function toStartFailure(server: string, error: unknown): HostError {
  const own = hostErrorWithin(error)
  if (own) return own
  if (error instanceof SdkHttpError && error.status !== undefined) return httpError(server, error)
  const failure = errorsOf(server, error)
  if (isProtocolError(error))
    return failure('server.not-mcp', t`“${server}” refused to begin: ${error.message} (${error.code}).`, {
      code: error.code,
      reason: error.message,
    })
  switch (error instanceof SdkError ? error.code : undefined) {
    case SdkErrorCode.RequestTimeout:
      return failure('server.start-timeout', t`“${server}” did not answer in time.`)
    case SdkErrorCode.ClientHttpUnexpectedContent:
    case SdkErrorCode.InvalidResult:
      return failure('server.not-mcp', t`“${server}” is not an MCP server.`)
    case SdkErrorCode.EraNegotiationFailed:
      return failure('server.not-mcp', t`“${server}” and Assent share no protocol revision.`)
    default: {
      const other = toFailure(server, error)
      return other instanceof HostError ? other : failure('server.protocol', other.message)
    }
  }
}
