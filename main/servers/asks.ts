// What a server asks of the host, handed to the handlers: as its own request in the older eras, inside an
// `input_required` result in the newer one (the SDK calls the same handlers for both).
import { type Client, type ClientContext, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client'
import type { AskedBy, ServerRequestHandlers } from './handlers.ts'
import type { RunningCalls } from './running-calls.ts'

/** Questions that one server may have open. Beyond it is noise, or an attempt to bury one question under others. */
const maxOpen = 20

export function answerAsks(
  client: Client,
  options: {
    readonly server: string
    readonly handlers: ServerRequestHandlers
    readonly calls: RunningCalls
    /** Aborts when the connection is over. */
    readonly over: AbortSignal
  },
): void {
  const { server, handlers, calls, over } = options
  let open = 0

  async function ask<T>(ctx: ClientContext, answer: (by: AskedBy) => Promise<T>): Promise<T> {
    if (open >= maxOpen) throw new ProtocolError(ProtocolErrorCode.InternalError, 'Too many questions are open; wait for their answers.')
    const callId = calls.only()
    open += 1
    const resume = calls.pause()
    try {
      return await answer({ server, ...(callId === undefined ? {} : { callId }), signal: AbortSignal.any([ctx.mcpReq.signal, over]) })
    } finally {
      open -= 1
      resume()
    }
  }

  client.setRequestHandler('sampling/createMessage', (request, ctx) => ask(ctx, (by) => handlers.sampling(request.params, by)))
  client.setRequestHandler('elicitation/create', (request, ctx) => ask(ctx, (by) => handlers.elicitation(request.params, by)))
  client.setRequestHandler('roots/list', (_request, ctx) => ask(ctx, (by) => handlers.roots(by)))
}
