import { describe, expect, it, vi } from 'vitest'
import { HostError } from '#app/errors.ts'
import type { JsonObject } from '#app/json.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'
import { manualClock } from '#main/base/manual-clock.testing.ts'
import { protocolError } from '#main/base/protocol-error.ts'
import { createPausableTimeouts, createRunningTimeouts } from '#main/servers/transport/pausable-timeouts.ts'
import { createDisconnectRace } from './disconnect-race.ts'
import type { ClientRequest, ConnectionState, Interceptor, RequestContext } from './request-context.ts'
import {
  endWithConnection,
  mirrorToolHeaders,
  nameFailure,
  nameUnknownOutcome,
  openRequiredUrls,
  requestInterceptors,
  requireCapability,
  sendLogLevel,
  withInterceptors,
} from './request-interceptors.ts'

const tool: ToolEntry = {
  name: 'read',
  inputSchema: { type: 'object', properties: { city: { type: 'string', 'x-mcp-header': 'City' } } },
  modelName: 'a__read',
  tokens: 1,
  enabled: true,
  fingerprint: 'f',
}

function makeContext(connection: Partial<ConnectionState> = {}, more: Partial<RequestContext> = {}): RequestContext {
  const { signal } = new AbortController()
  return {
    signal,
    wireSignal: signal,
    connection: {
      server: 'a',
      session: { era: 'modern', protocolVersion: '2026-07-28', foundBy: 'discover', transport: 'streamable-http' },
      capabilities: { tools: {}, logging: {} },
      pid: undefined,
      clock: manualClock(),
      serverRequests: { busy: () => false, answer: vi.fn(() => Promise.resolve({ action: 'decline' })) },
      urlElicitations: { finished: () => undefined, complete: vi.fn() },
      timeouts: createPausableTimeouts(),
      running: createRunningTimeouts(),
      ended: new Promise(() => undefined),
      over: undefined,
      disconnects: createDisconnectRace(new Promise(() => undefined)),
      lose: vi.fn(),
      ...connection,
    },
    ...more,
  }
}

const call: ClientRequest = { method: 'tools/call', params: { name: 'read', arguments: { city: 'Bern' } } }
const run = (interceptor: Interceptor, context: RequestContext, next: () => Promise<JsonObject>, request = call) => {
  const send = vi.fn<(request: ClientRequest, context: RequestContext) => Promise<JsonObject>>(next)
  return { send, result: interceptor(request, context, send) }
}
const done = (): Promise<JsonObject> => Promise.resolve({ done: true })
const legacy = { era: 'legacy', protocolVersion: '2025-11-25', foundBy: 'initialize' } as const

describe('the interceptors of a request', () => {
  it('run in one order: what was not negotiated is on record, and is not sent', async () => {
    const rows: unknown[] = []
    const append = (row: { readonly decision?: string | null | undefined }): never => rows.push(row.decision) as never
    const services = { audit: { append }, logLevel: () => 'info' as const, refreshTool: vi.fn() }
    const send = vi.fn(done)
    const request = withInterceptors(requestInterceptors(services), send)
    await expect(request({ method: 'prompts/get', params: { name: 'p' } }, makeContext())).rejects.toMatchObject({
      code: 'server.not-offered',
    })
    expect([rows, send.mock.calls.length]).toEqual([['sent', 'failed'], 0])
  })

  it('refuse what the server did not declare', async () => {
    const { send, result } = run(requireCapability, makeContext({ capabilities: {} }), done)
    await expect(result).rejects.toMatchObject({ code: 'server.not-offered', data: { reason: 'not-declared' } })
    expect(send).not.toHaveBeenCalled()
  })

  it.each([
    ['a modern server', {}, { 'io.modelcontextprotocol/logLevel': 'error' }],
    ['no legacy server', { session: legacy }, undefined],
    ['no server that does not log', { capabilities: { tools: {} } }, undefined],
  ])('tell the log level to %s', async (_, connection, meta) => {
    const { send, result } = run(
      sendLogLevel(() => 'error'),
      makeContext(connection),
      done,
    )
    await result
    expect(send.mock.lastCall?.[0].params['_meta']).toEqual(meta)
  })

  it('send the headers of a tool, and once more those of its new definition', async () => {
    const mismatch = new HostError('server.protocol', 'refused', { data: { reason: 'header-mismatch' } })
    const fresh = { ...tool, inputSchema: { type: 'object', properties: { city: { type: 'string', 'x-mcp-header': 'Town' } } } }
    const answers = [() => Promise.reject(mismatch), done]
    const refresh = vi.fn(() => Promise.resolve(fresh))
    const { send, result } = run(mirrorToolHeaders(refresh), makeContext({}, { tool }), () => (answers.shift() ?? done)())
    await result
    expect(send.mock.calls.map(([{ headers }]) => headers)).toEqual([{ 'Mcp-Param-City': 'Bern' }, { 'Mcp-Param-Town': 'Bern' }])
    expect(refresh).toHaveBeenCalledOnce()
  })

  it('say that nobody knows whether a tool ran when its connection broke', async () => {
    const lost = new HostError('server.connection-lost', 'lost')
    const { result } = run(nameUnknownOutcome, makeContext({}, { tool }), () => Promise.reject(lost))
    await expect(result).rejects.toMatchObject({ code: 'tool.outcome-unknown', cause: lost })
    await expect(run(nameUnknownOutcome, makeContext(), () => Promise.reject(lost)).result).rejects.toBe(lost)
  })

  it('put the pages that a legacy server requires, and fail all the same', async () => {
    const required = protocolError(-32042, 'first', { elicitations: [{ mode: 'url', elicitationId: 'e', url: 'https://a.example/' }] })
    const context = makeContext({ session: legacy })
    await expect(run(openRequiredUrls, context, () => Promise.reject(required)).result).rejects.toMatchObject({ code: 'server.page-first' })
    expect(context.connection.serverRequests.answer).toHaveBeenCalledOnce()
    await expect(run(openRequiredUrls, makeContext(), () => Promise.reject(required)).result).rejects.toBe(required)
  })

  it('name why a request failed: the end of the connection before all else', async () => {
    const over = new HostError('server.exited', 'it ended')
    const fail = (): Promise<never> => Promise.reject(new Error('a pipe broke'))
    await expect(run(nameFailure, makeContext({ over }), fail).result).rejects.toBe(over)
    await expect(run(nameFailure, makeContext(), fail).result).rejects.toMatchObject({ code: 'server.protocol' })
  })

  it('end a request when its connection does, or when it is cancelled, with words that the server may read', async () => {
    const gone = new HostError('server.exited', 'it ended')
    const never = (): Promise<never> => new Promise(() => undefined)
    const ending = makeContext({ disconnects: createDisconnectRace(Promise.resolve(gone)) })
    await expect(run(endWithConnection, ending, never).result).rejects.toBe(gone)
    const control = new AbortController()
    const { send, result } = run(endWithConnection, makeContext({}, { signal: control.signal }), never)
    control.abort(new HostError('cancelled', 'The call was cancelled.'))
    await expect(result).rejects.toMatchObject({ code: 'cancelled' })
    expect(send.mock.lastCall?.[1].wireSignal.reason).toBe('The call was cancelled.')
  })

  it('send nothing on a connection that is over', async () => {
    const over = new HostError('server.exited', 'it ended')
    const { send, result } = run(endWithConnection, makeContext({ over }), done)
    await expect(result).rejects.toBe(over)
    expect(send).not.toHaveBeenCalled()
  })
})
