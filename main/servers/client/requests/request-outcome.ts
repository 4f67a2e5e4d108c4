import { HostError, type HostErrorCode } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isSessionUnknown } from '#main/servers/transport/session-unknown.ts'

export const toolChanged = (server: string, tool: string): HostError =>
  new HostError('tool.changed', t`${tool} of “${server}” is not what was approved: its definition has changed.`, { data: { server, tool } })

/** Codes of a connection that broke after a call was sent on it: nobody knows whether the tool ran. */
const unknowable: ReadonlySet<HostErrorCode> = new Set(['server.exited', 'server.connection-lost', 'server.stopped'])

/** Returns `tool.outcome-unknown` where an error leaves open whether the tool ran, else the error itself. */
export function outcomeOf(error: unknown, server: string, tool: string): unknown {
  if (!(error instanceof HostError)) return error
  const { code, data } = error
  const broke =
    // A server that does not know the session has not looked at what was sent in it.
    (unknowable.has(code) && !isSessionUnknown(error)) ||
    (code === 'server.unreachable' && data['sent'] !== false) ||
    (code === 'server.http-status' && Number(data['status']) >= 500)
  if (!broke) return error
  return new HostError('tool.outcome-unknown', t`Nobody knows whether ${tool} ran: ${error.message} It is not run again by itself.`, {
    data: { server, tool, because: code, ...data },
    cause: error,
  })
}
