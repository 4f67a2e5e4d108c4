// How a call that did not come back with a result ended.
import { type ErrorValue, toErrorValue } from '#app/errors.ts'
import { isProtocolError } from '#main/base/protocol-error.ts'

/** The connection died after the call was sent: nobody knows what became of it. */
const lostCodes: ReadonlySet<string> = new Set(['tool.outcome-unknown'])

export function callEnd(error: ErrorValue, signal: AbortSignal, quitting: boolean): 'cut-off' | 'cancelled' | 'lost' | 'failed' {
  if (signal.aborted) return quitting ? 'cut-off' : 'cancelled'
  return lostCodes.has(error.code) ? 'lost' : 'failed'
}

/** A protocol error came over the wire: its words are the server's, for the model. */
export function callError(thrown: unknown, server: string): ErrorValue {
  if (isProtocolError(thrown))
    return { code: 'server.protocol', message: `“${server}” answered: ${thrown.message}`, data: { server, protocolCode: thrown.code } }
  return toErrorValue(thrown)
}
