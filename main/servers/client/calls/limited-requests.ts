// Requests to one server beside tool calls, each within its timeout. They do no harm when sent twice, so they are sent again
// where the server has forgotten its session.
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { createIdleTimeout } from '../../transport/idle-timeout.ts'
import type { Connection } from '../connection/connection.ts'
import { isSessionUnknown } from '../requests/request-outcome.ts'
import type { ApprovedCallsContext } from './approved-call.ts'

type Context = Pick<ApprovedCallsContext, 'server' | 'ready' | 'timeoutOf' | 'shown' | 'clock'>
type Work<T> = (connection: Connection, signal: AbortSignal) => Promise<T>

export function createLimitedRequests({ server: name, ready, timeoutOf, shown, clock }: Context) {
  async function ask<T>(work: Work<T>, signal: AbortSignal): Promise<T> {
    const connection = await ready(signal)
    try {
      return await askOn(connection, work, signal)
    } catch (error) {
      if (!isSessionUnknown(error)) throw error
      await connection.ended
      return askOn(await ready(signal), work, signal)
    }
  }

  async function askOn<T>(connection: Connection, work: Work<T>, signal: AbortSignal): Promise<T> {
    const limit = new AbortController()
    // While the person is asked something in its course, nobody keeps them waiting.
    const timeout = createIdleTimeout(clock, timeoutOf(), () => limit.abort())
    const undo = [connection.timeouts.add(timeout), connection.running.add(timeout)]
    try {
      return await work(connection, AbortSignal.any([signal, limit.signal]))
    } catch (error) {
      if (signal.aborted) throw new HostError('cancelled', t`The request to “${name}” was cancelled.`, { cause: shown(error) })
      if (limit.signal.aborted)
        throw new HostError('server.connection-lost', t`“${name}” did not answer in time.`, { data: { server: name }, cause: error })
      throw shown(error)
    } finally {
      timeout.stop()
      for (const each of undo) each()
    }
  }

  return { ask, askOn }
}
