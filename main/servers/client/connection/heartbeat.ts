// Pings an idle server of the older eras (MCP up to 2025-11-25, "Ping"). A busy server is left alone. Only a server that used to
// answer and falls silent has lost its connection; one that never answers a ping is not pinged again.
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Clock } from '#main/base/clock.ts'
import { isProtocolError } from '#main/base/protocol-error.ts'
import type { Connection } from './connection.ts'

/** A server that is busy with something of its own may take so long to answer. */
const answerMs = 30_000
/** While pings are switched off, whether they still are is looked up so often. */
const lookMs = 60_000

interface HeartbeatOptions {
  readonly connection: Pick<Connection, 'server' | 'session' | 'running' | 'request' | 'lose'>
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Milliseconds between two pings; 0: none. */
  readonly everyMs: () => number
  readonly note: (text: string) => void
}

export function keepPinging({ connection, clock, signal, everyMs, note }: HeartbeatOptions): void {
  const { server, session, running } = connection
  if (session.era !== 'legacy') return
  let answered = false
  let cancelRest: (() => void) | undefined

  function rest(): void {
    if (!signal.aborted) cancelRest = clock.after(everyMs() || lookMs, () => void beat())
  }

  async function beat(): Promise<void> {
    if (signal.aborted) return
    if (everyMs() === 0 || running.busy()) return rest()
    const answer = await ask()
    if (answer === 'answered') answered = true
    if (answer !== 'silent' || running.busy()) return rest()
    if (!answered) return note(t`“${server}” did not answer in time.`)
    note(t`“${server}” did not answer in time.`)
    connection.lose(new HostError('server.connection-lost', t`“${server}” did not answer in time.`, { data: { server } }))
  }

  async function ask(): Promise<'answered' | 'silent' | 'failed'> {
    const late = new AbortController()
    const askedAt = clock.now()
    const cancel = clock.after(answerMs, () => late.abort(new HostError('cancelled', t`It was cancelled.`)))
    try {
      await connection.request('ping', {}, { signal: AbortSignal.any([signal, late.signal]) })
      return 'answered'
    } catch (error) {
      // Whoever says that there is no ping is there.
      if (isProtocolError(error)) return 'answered'
      // While this computer slept nobody could answer.
      const slept = clock.now() - askedAt > 2 * answerMs
      return late.signal.aborted && !signal.aborted && !slept ? 'silent' : 'failed'
    } finally {
      cancel()
    }
  }

  signal.addEventListener('abort', () => cancelRest?.(), { once: true })
  rest()
}
