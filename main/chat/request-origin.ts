import { defined } from '#app/or-else.ts'
import type { RequestOrigin } from '#main/consent/broker-api.ts'
import type { AskedBy } from '#main/servers/client/server-requests/server-request-handlers.ts'
import { orAborted } from '../base/abort.ts'
import type { RunningCalls } from './running-calls.ts'

export const INVALID_PARAMS = -32602
export const INTERNAL_ERROR = -32603

/**
 * Runs `ask` with the origin of a server's request, for as long as the server and the call in whose course it asks are there.
 * The conversation shows that it waits while the question is open.
 */
export async function withOrigin<T>(running: RunningCalls, by: AskedBy, ask: (origin: RequestOrigin) => Promise<T>): Promise<T> {
  const call = running.askedIn(by.server, by.callId)
  const signal = call ? AbortSignal.any([by.signal, call.signal]) : by.signal
  let answered: (() => void) | undefined
  const origin: RequestOrigin = {
    server: by.server,
    signal,
    ...defined({ conversationId: call?.conversationId, callId: by.callId, view: call?.view, expiresAt: by.expiresAt }),
    onAsked: () => {
      if (!signal.aborted) answered ??= call?.activity?.asked()
    },
  }
  try {
    return await orAborted(ask(origin), signal)
  } finally {
    answered?.()
  }
}
