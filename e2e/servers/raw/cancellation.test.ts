// Cancellation in both directions, with its races (MCP, "Cancellation").
import { describe, expect, it } from 'vitest'
import type { AskedBy } from '#main/servers/client/requests/server-request-handlers.ts'
import { eventually, noHandlers } from '#main/servers/lifecycle/servers.testing.ts'
import { closeAfterEach as closeWires, started } from './raw-stdio.ts'
import { older } from './relayed.ts'
import { call, closeAfterEach, host, signal } from './support.ts'

closeAfterEach()
closeWires()

const query = { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'who', value: 'never' } } as const

describe('the host', () => {
  it('tells the server that a call was cancelled and why, and does not hear what it says afterwards', async () => {
    const { servers, seen, seenParams } = host()
    await servers.start('raw')
    const control = new AbortController()
    const hanging = call(servers, 'hang', {}, control.signal)
    await eventually(() => expect(seen().some(({ params }) => params?.name === 'hang')).toBe(true))
    control.abort()
    await expect(hanging).rejects.toMatchObject({ code: 'cancelled' })
    await eventually(() => expect(seenParams('notifications/cancelled')).toHaveLength(1))
    const sent = seen().find(({ params }) => params?.name === 'hang')
    expect(seenParams('notifications/cancelled')).toEqual([{ requestId: sent?.id, reason: expect.stringMatching(/\w/) }])
    expect(await call(servers, 'shout')).toBe('said')
    expect(servers.state('raw').kind).toBe('ready')
  })

  it('tells it also of a question that is not a call', async () => {
    const { servers, seen, seenParams } = host()
    await servers.start('raw')
    const control = new AbortController()
    const asking = servers.complete('raw', query, { signal: control.signal })
    await eventually(() => expect(seenParams('completion/complete')).toHaveLength(1))
    control.abort()
    await expect(asking).rejects.toMatchObject({ code: 'cancelled' })
    const sent = seen().find(({ method }) => method === 'completion/complete')
    await eventually(() => expect(seenParams('notifications/cancelled')).toMatchObject([{ requestId: sent?.id }]))
  })

  it('says nothing of a call that was answered before', async () => {
    const { servers, seenParams } = host()
    await servers.start('raw')
    const control = new AbortController()
    await call(servers, 'shout', {}, control.signal)
    control.abort()
    await call(servers, 'shout')
    expect(seenParams('notifications/cancelled')).toEqual([])
  })

  it('never cancels `initialize`: what has not begun is just ended', async () => {
    const { servers, seenParams } = host('never')
    const starting = servers.start('raw').catch((error: unknown) => error)
    await eventually(() => expect(seenParams('initialize')).toHaveLength(1))
    await servers.stop('raw')
    expect(await starting).toMatchObject({ code: 'server.stopped' })
    expect(seenParams('notifications/cancelled')).toEqual([])
  })
})

describe('a server that takes back what it asked for', () => {
  it.each([
    ['question', 'elicitation'],
    ['sample', 'sampling'],
  ] as const)('(%s) has its question withdrawn, and gets no answer to it', async (tool, kind) => {
    const asked: AskedBy[] = []
    const ask = (_params: unknown, by: AskedBy): Promise<never> => {
      asked.push(by)
      return new Promise((_resolve, reject) => {
        by.signal.addEventListener('abort', () => reject(new Error('withdrawn')), { once: true })
      })
    }
    const { servers, seen } = host('', { handlers: { ...noHandlers, [kind]: ask } })
    await servers.start('raw')
    await call(servers, tool)
    await eventually(() => expect(asked).toHaveLength(1))
    expect(asked[0]?.signal.aborted).toBe(false)
    await call(servers, 'withdraw')
    await eventually(() => expect(asked[0]?.signal.aborted).toBe(true))
    // Whatever would have been sent to it has been sent when this is answered.
    expect(JSON.parse(await call(servers, 'ping'))).toEqual([{}])
    expect(seen().filter(({ id, method }) => method === undefined && id === tool)).toEqual([])
  })

  it('in the same breath as it asked gets no answer either', async () => {
    const asked: AskedBy[] = []
    const elicitation = (_params: unknown, by: AskedBy): Promise<never> => {
      asked.push(by)
      return new Promise(() => {})
    }
    const { made } = await started(
      older('2025-06-18', () => false),
      { handlers: { ...noHandlers, elicitation } },
    )
    const params = { message: 'Who?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } }
    made.wire.send(
      { jsonrpc: '2.0', id: 'brief', method: 'elicitation/create', params },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'brief' } },
      { jsonrpc: '2.0', id: 'after', method: 'ping' },
    )
    await eventually(() => expect(made.wire.said()).toContain('result after'))
    expect(asked.map((by) => by.signal.aborted)).toEqual([true])
    expect(made.wire.said().filter((said) => said.endsWith('brief'))).toEqual([])
  })

  it('after it was answered, or without having asked, changes nothing', async () => {
    const { servers, seen } = host()
    await servers.start('raw')
    await call(servers, 'question')
    await eventually(() => expect(seen()).toContainEqual({ jsonrpc: '2.0', id: 'question', result: { action: 'cancel' } }))
    await call(servers, 'withdraw')
    expect(JSON.parse(await call(servers, 'ping'))).toEqual([{}])
    expect(servers.log('raw').lines.filter(({ source }) => source === 'host')).toEqual([])
  })
})

describe('what was cancelled before it was sent', () => {
  it('is not sent', async () => {
    const { servers, seenParams } = host()
    await servers.start('raw')
    await expect(servers.readResource('raw', 'raw://one', { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' })
    await servers.readResource('raw', 'raw://one', { signal })
    expect(seenParams('resources/read')).toHaveLength(1)
  })
})
