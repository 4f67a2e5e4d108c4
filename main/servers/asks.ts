// What a server asks of the host, handed to the handlers: as its own request in the older eras, inside an
// `input_required` result in the newer one (the SDK calls the same handlers for both).
import { type Client, type ClientContext, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client'
import type { Json } from '#app/json.ts'
import type { Clock } from '#main/base/clock.ts'
import type { AskedBy, ServerRequestHandlers } from './handlers.ts'
import { jsonSize } from './json-size.ts'
import type { RunningCalls } from './running-calls.ts'

/** Questions that one server may have open. Beyond it is noise, or an attempt to bury one question under others. */
const maxOpen = 20
/** Questions in any minute. Each is put on record and told to every page, also one that is taken back or refused at once. */
const maxAMinute = 60
/** A question is for a person to read: in bytes, about. */
const maxSize = 256 * 1024

export function answerAsks(
  client: Client,
  options: {
    readonly server: string
    readonly handlers: ServerRequestHandlers
    readonly calls: RunningCalls
    readonly clock: Clock
    /** Aborts when the connection is over. */
    readonly over: AbortSignal
  },
): void {
  const { server, handlers, calls, clock, over } = options
  let open = 0
  let times: number[] = []

  function admit(params: unknown): void {
    if (open >= maxOpen) throw new ProtocolError(ProtocolErrorCode.InternalError, 'Too many questions are open; wait for their answers.')
    const now = clock.now()
    times = times.filter((time) => now - time < 60_000)
    if (times.length >= maxAMinute) throw new ProtocolError(ProtocolErrorCode.InternalError, 'Too many questions; ask again in a minute.')
    if (params !== undefined && jsonSize(params as Json) > maxSize)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The question is too long for a person to read.')
    times.push(now)
  }

  async function ask<T>(ctx: ClientContext, params: unknown, answer: (by: AskedBy) => Promise<T>): Promise<T> {
    admit(params)
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

  client.setRequestHandler('sampling/createMessage', (request, ctx) =>
    ask(ctx, request.params, (by) => handlers.sampling(request.params, by)),
  )
  client.setRequestHandler('elicitation/create', (request, ctx) =>
    ask(ctx, request.params, (by) => handlers.elicitation(request.params, by)),
  )
  client.setRequestHandler('roots/list', (_request, ctx) => ask(ctx, undefined, (by) => handlers.roots(by)))
}
