// Origin of a server's question, and how long it may stand: as long as the server and the call in whose course it asks.
import { defined } from '#app/or-else.ts'
import { orAborted } from '#main/base/abort.ts'
import type { RequestOrigin } from '#main/consent/broker-api.ts'
import type { CallContext, RunningCalls } from '#main/servers/client/requests/running-calls.ts'
import type { AskedBy } from '#main/servers/client/requests/server-request-handlers.ts'

/** Returns the call in whose course a server asks: the one that is certain, else one of the only conversation that calls it. */
export const callOf = (running: RunningCalls, { server, call }: AskedBy): CallContext | undefined =>
  call ?? running.inOneConversation(server)

/** Runs `ask` as long as the server and its call are there. The conversation shows that it waits while the question is open. */
export async function withOrigin<T>(running: RunningCalls, by: AskedBy, ask: (origin: RequestOrigin) => Promise<T>): Promise<T> {
  const call = callOf(running, by)
  const signal = call ? AbortSignal.any([by.signal, call.signal]) : by.signal
  let answered: (() => void) | undefined
  const origin: RequestOrigin = {
    server: by.server,
    signal,
    ...defined({
      conversationId: call?.conversationId,
      callId: by.call?.callId,
      answerOf: call?.answerOf,
      view: call?.view,
      expiresAt: by.expiresAt,
    }),
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
