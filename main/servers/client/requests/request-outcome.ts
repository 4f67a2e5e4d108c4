import { HostError, type HostErrorCode } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'

export const toolChanged = (server: string, tool: string): HostError =>
  new HostError('tool.changed', t`${tool} of “${server}” has changed since it was approved.`, { data: { server, tool } })

/** Whether the server has not looked at what was sent: it does not know the session, or the revision, any more. A new one is begun. */
export const isSessionUnknown = (error: unknown): boolean =>
  error instanceof HostError &&
  error.code === 'server.connection-lost' &&
  (error.data['status'] === 404 || error.data['revision'] !== undefined)

/** Codes of a connection that broke after a call was sent on it: nobody knows whether the tool ran. */
const unknowable: ReadonlySet<HostErrorCode> = new Set(['server.exited', 'server.connection-lost', 'server.stopped'])

/** Returns `tool.outcome-unknown` where an error leaves open whether the tool ran, else the error itself. */
export function outcomeOf(error: unknown, server: string, tool: string): unknown {
  if (!(error instanceof HostError)) return error
  const { code, data } = error
  const broke =
    (unknowable.has(code) && !isSessionUnknown(error)) ||
    (code === 'server.unreachable' && data['sent'] !== false) ||
    (code === 'server.http-status' && Number(data['status']) >= 500)
  if (!broke) return error
  return new HostError('tool.outcome-unknown', t`It is not known whether ${tool} ran: ${error.message}`, {
    data: { server, tool, because: code, ...data },
    cause: error,
  })
}
