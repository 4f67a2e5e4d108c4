// Whether a server that runs elsewhere is still there after this computer slept or went to another network: a connection
// that died by it is found now, and not by the next call, whose outcome nobody would know. A server of 2026-07-28 knows no
// ping: it is asked what it is.
import { HostError } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'
import type { Clock } from '#main/base/clock.ts'
import { isProtocolError } from '#main/base/protocol-error.ts'
import type { Connection } from '../connection/connection.ts'
import type { Doubt, RemoteCare } from './remote-care.ts'

const answerMs = 10_000
const silentWords = (server: string, doubt: Doubt): string =>
  doubt === 'woke'
    ? t`“${server}” gave no sign of life after this computer woke.`
    : t`“${server}” gave no sign of life after this computer went to another network.`

export interface DoubtCheckOptions {
  readonly connection: Pick<Connection, 'server' | 'session' | 'request' | 'lose' | 'ended'>
  readonly clock: Clock
  readonly care: Pick<RemoteCare, 'onDoubt' | 'inTurn'>
  /** Aborts when the connection is over. */
  readonly signal: AbortSignal
  readonly note: (text: string) => void
}

export function checkInDoubt({ connection, clock, care, signal, note }: DoubtCheckOptions): void {
  const { server, session } = connection
  let leave: (() => void) | undefined
  let asking = false
  const forget = care.onDoubt((doubt) => {
    leave?.()
    leave = care.inTurn(() => void check(doubt))
  })
  const stop = (): void => {
    forget()
    leave?.()
  }
  signal.addEventListener('abort', stop, { once: true })
  void connection.ended.then(stop)

  async function check(doubt: Doubt): Promise<void> {
    if (signal.aborted || asking) return
    asking = true
    const late = new AbortController()
    const silent = new HostError('server.connection-lost', silentWords(server, doubt), {
      data: { server },
    })
    const cancel = clock.after(answerMs, () => late.abort(silent))
    try {
      const method = session.era === 'modern' ? 'server/discover' : 'ping'
      await connection.request(method, {}, { signal: AbortSignal.any([signal, late.signal]) })
    } catch (error) {
      // Whoever says that there is no such method is there; so is one that wants to know who asks.
      if (signal.aborted || isProtocolError(error)) return
      const gone = late.signal.aborted ? silent : error
      if (!(gone instanceof HostError) || (gone.code !== 'server.unreachable' && gone.code !== 'server.connection-lost')) return
      note(gone.message)
      connection.lose(gone)
    } finally {
      asking = false
      cancel()
    }
  }
}
