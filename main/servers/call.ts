// One tools/call on a connection: sends the very bytes that were approved, waits as long as there is word, and says
// plainly how it ended. Once sent, a call whose answer never came has an unknown outcome, and nobody runs it again.
import { LOG_LEVEL_META_KEY, ProtocolError } from '@modelcontextprotocol/client'
import { type Progress, progress } from '#app/chat/message.ts'
import { HostError, type HostErrorCode } from '#app/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'
import type { Clock } from '#main/base/clock.ts'
import type { ApprovedCall } from '#main/consent/approved.ts'
import { mirrorsArguments } from './catalogue-entries.ts'
import type { Connection } from './connection.ts'
import { mirroredHeaders, readMirrors } from './mirrored-headers.ts'
import { createPatience } from './patience.ts'
import type { CallOptions } from './types.ts'
import type { SchemaChecker } from './validation/check.ts'

export interface CallContext {
  readonly call: ApprovedCall
  readonly tool: ToolEntry
  readonly options: CallOptions
  readonly timeoutMs: number
  readonly clock: Clock
  readonly checker: SchemaChecker
  /** Something about the call that belongs in the server's log. */
  readonly note: (text: string) => void
}

export async function callTool(connection: Connection, context: CallContext): Promise<JsonObject> {
  const { call, options, clock, timeoutMs } = context
  const { server, tool } = call
  const control = new AbortController()
  const onCancel = (): void => control.abort(new HostError('cancelled', `The call of ${tool} was cancelled.`, { data: { server, tool } }))
  if (options.signal.aborted) onCancel()
  else options.signal.addEventListener('abort', onCancel, { once: true })
  const patience = createPatience(clock, timeoutMs, () =>
    control.abort(
      new HostError('tool.timeout', `${tool} of “${server}” gave no word for ${Math.round(timeoutMs / 1000)} s, so it was cancelled.`, {
        data: { server, tool, timeoutMs },
      }),
    ),
  )
  const forget = connection.calls.add(call.callId, patience)
  try {
    control.signal.throwIfAborted()
    const logs = connection.session.era === 'modern' && connection.capabilities.logging !== undefined
    const args = JSON.parse(call.argumentsText) as Json
    const mirrors = mirrorsArguments(connection.session) ? readMirrors(context.tool.inputSchema) : undefined
    const params: Record<string, Json> = {
      name: tool,
      arguments: args,
      ...(logs ? { _meta: { [LOG_LEVEL_META_KEY]: 'info' } } : {}),
    }
    const result = await connection.request('tools/call', params, {
      signal: control.signal,
      ...(mirrors?.kind === 'valid' ? { headers: mirroredHeaders(mirrors.mirrors, args) } : {}),
      onprogress(update) {
        if (control.signal.aborted) return
        patience.renew()
        const parsed = progress.safeParse(update)
        if (parsed.success) options.onProgress?.(shortProgress(parsed.data))
      },
    })
    if (isJsonObject(result)) return result
    throw new HostError('server.protocol', `The result of ${tool} is not an object.`, { data: { server, tool } })
  } catch (error) {
    throw outcomeOf(error, server, tool)
  } finally {
    patience.stop()
    forget()
    options.signal.removeEventListener('abort', onCancel)
  }
}

/** One line on a card, told to every page and kept with the call. */
const longestProgress = 500
const shortProgress = (update: Progress): Progress =>
  update.message === undefined || update.message.length <= longestProgress
    ? update
    : { ...update, message: `${update.message.slice(0, longestProgress)}…` }

/** The connection broke; whether the tool ran, nobody knows. */
const unknowable: ReadonlySet<HostErrorCode> = new Set(['server.exited', 'server.connection-lost', 'server.stopped'])

function outcomeOf(error: unknown, server: string, tool: string): unknown {
  if (error instanceof ProtocolError || !(error instanceof HostError)) return error
  // A server that does not know the session has not looked at what was sent in it.
  const unheard = error.code === 'server.connection-lost' && error.data['status'] === 404
  const broke =
    (unknowable.has(error.code) && !unheard) ||
    (error.code === 'server.unreachable' && error.data['sent'] !== false) ||
    (error.code === 'server.http-status' && Number(error.data['status']) >= 500)
  if (!broke) return error
  return new HostError('tool.outcome-unknown', `Nobody knows whether ${tool} ran: ${error.message} It is not run again by itself.`, {
    data: { server, tool, because: error.code, ...error.data },
    cause: error,
  })
}

/** Throws `tool.result-invalid` when the structured result breaks the tool's own schema. */
export async function checkResult(result: JsonObject, { call, tool, checker, note }: CallContext): Promise<void> {
  const value = result['structuredContent']
  if (value === undefined || tool.outputSchema === undefined || result['isError'] === true) return
  const checked = await checker.check({ schema: tool.outputSchema, value })
  if (checked.kind === 'unchecked') note(`The result of ${tool.name} was not checked: ${checked.reason}.`)
  if (checked.kind !== 'invalid') return
  throw new HostError(
    'tool.result-invalid',
    `The result of ${tool.name} breaks the tool's own schema at ${checked.place}: ${checked.reason}`,
    { data: { server: call.server, tool: tool.name, place: checked.place, reason: checked.reason } },
  )
}
