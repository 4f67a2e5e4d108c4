// Tasks of 2025-11-25 with a server written by hand: what the caller gets, and what the server saw.
import { join } from 'node:path'
import { ProtocolError } from '@modelcontextprotocol/client'
import { afterEach, describe, expect, it } from 'vitest'
import type { Progress } from '#app/chat/message.ts'
import { systemClock } from '#main/base/clock.ts'
import {
  approve,
  closeServers,
  eventually,
  makeServers,
  noHandlers,
  raw,
  type TestServers,
  watchTimers,
} from '#main/servers/lifecycle/servers.testing.ts'
import type { CallOptions } from '../requests/running-calls.ts'
import type { AskedBy, ServerRequestHandlers } from '../requests/server-request-handlers.ts'

afterEach(async () => {
  expect(await closeServers()).toEqual([])
})

interface Sent {
  readonly id?: number | string
  readonly method?: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly result?: unknown
}

const fails = (code: string, data: object = {}) => expect.objectContaining({ code, data: expect.objectContaining(data) })
const text = (result: unknown): string => (result as { content: { text: string }[] }).content[0]?.text ?? ''

async function started(
  args: readonly string[] = [],
  handlers: Partial<ServerRequestHandlers> = {},
  clock = systemClock,
): Promise<TestServers> {
  const servers = makeServers({ a: raw('core-tasks', ...args) }, { handlers: { ...noHandlers, ...handlers }, clock })
  await servers.start('a')
  return servers
}
const call = async (servers: TestServers, tool: string, options: Partial<CallOptions> = {}) =>
  (await servers.call(approve(servers, 'a', tool), { signal: new AbortController().signal, ...options })).result

/** All that the server was sent since it began, the lists and the call that asks for it aside. */
const seen = async (servers: TestServers): Promise<Sent[]> => JSON.parse(text(await call(servers, 'seen'))) as Sent[]
const methods = (sent: readonly Sent[]): (string | undefined)[] =>
  sent
    .map(({ method }) => method)
    .filter((method) => method?.startsWith('tasks/') || method === 'tools/call' || method === 'notifications/cancelled')

describe('a tool that must be a task', () => {
  it('is called as one, asked for until it has ended, and its result fetched', async () => {
    const servers = await started()
    const told: Progress[] = []
    const result = await call(servers, 'plain', { onProgress: (progress) => told.push(progress) })
    expect(result).toEqual({
      content: [{ type: 'text', text: 'done' }],
      _meta: { 'io.modelcontextprotocol/related-task': { taskId: 'plain' } },
    })
    const sent = await seen(servers)
    expect(sent.find(({ method }) => method === 'tools/call')?.params).toMatchObject({ name: 'plain', task: { ttl: expect.any(Number) } })
    expect(methods(sent)).toEqual(['tools/call', 'tasks/get', 'tasks/get', 'tasks/get', 'tasks/result'])
    expect(told).toContainEqual({ progress: 1, total: 3, message: 'one of three' })
    expect(told).toContainEqual({ progress: 1, total: 3, message: 'step 2' })
    const { params } = sent.find(({ method }) => method === 'initialize') ?? {}
    expect(params).not.toHaveProperty('capabilities.tasks')
  })

  it('that may also be called plainly is called so', async () => {
    expect(text(await call(await started(), 'plainly'))).toBe('called plainly')
  })

  it('is none on a server that did not declare tasks', async () => {
    expect(text(await call(await started(['undeclared']), 'plainly'))).toBe('called plainly')
  })

  it('ends as the tool’s own error, a protocol error, or the server’s cancel', async () => {
    const servers = await started()
    expect(await call(servers, 'fails')).toMatchObject({ isError: true, content: [{ text: 'no such thing' }] })
    const refusal = await call(servers, 'breaks').catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(ProtocolError)
    expect(refusal).toMatchObject({ code: -32602, message: expect.stringContaining('Bad arguments') })
    await expect(call(servers, 'dropped')).rejects.toEqual(fails('tool.task-cancelled', { taskId: 'dropped' }))
    expect(methods(await seen(servers))).not.toContain('tasks/cancel')
  })

  it('is asked for at once when the server says that it has news, and word of other tasks is not heard', async () => {
    const servers = await started()
    const told: Progress[] = []
    expect(text(await call(servers, 'pushed', { onProgress: (progress) => told.push(progress) }))).toBe('pushed')
    expect(told.map(({ message }) => message)).toEqual(['nearly'])
    expect(methods(await seen(servers))).toEqual(['tools/call', 'tasks/get', 'tasks/result'])
  })

  it('may ask the person in its course, and both sides name the task', async () => {
    const asked: AskedBy[] = []
    const servers = await started([], {
      elicitation: (_params, by) => {
        asked.push(by)
        return Promise.resolve({ action: 'accept', content: { name: 'Ada' } })
      },
    })
    expect(text(await call(servers, 'asks'))).toBe('Hello {"name":"Ada"}')
    expect(asked).toMatchObject([{ server: 'a', call: { callId: 'call-asks' } }])
    const sent = await seen(servers)
    expect(sent.find(({ id }) => id === 'who')?.result).toEqual({
      action: 'accept',
      content: { name: 'Ada' },
      _meta: { 'io.modelcontextprotocol/related-task': { taskId: 'asks' } },
    })
    expect(methods(sent).filter((method) => method === 'tasks/result')).toHaveLength(1)
  })

  it('may be silent for longer than a call: the time counts only while the server owes an answer', async () => {
    const timeoutMs = 61_234
    const { clock, standsStill } = watchTimers(timeoutMs)
    const servers = await started([], {}, clock)
    const control = new AbortController()
    const slow = call(servers, 'slow', { timeoutMs, signal: control.signal })
    slow.catch(() => undefined)
    // Its next look at the task is a minute away: until then nothing counts.
    await standsStill()
    control.abort()
    await expect(slow).rejects.toEqual(fails('cancelled'))
  })
})

describe('a task that is cancelled', () => {
  it('is so when the server does not say how it is, for as long as a call may be silent', async () => {
    const servers = await started()
    await expect(call(servers, 'mute', { timeoutMs: 500 })).rejects.toEqual(fails('tool.timeout'))
    expect(methods(await seen(servers)).slice(0, 3)).toEqual(['tools/call', 'tasks/get', 'tasks/cancel'])
  })

  it('is cancelled in its own way', async () => {
    const servers = await started()
    const control = new AbortController()
    const slow = call(servers, 'slow', { signal: control.signal })
    await eventually(async () => expect(methods(await seen(servers))).toEqual(['tools/call']))
    control.abort()
    await expect(slow).rejects.toEqual(fails('cancelled'))
    expect(methods(await seen(servers))).toEqual(['tools/call', 'tasks/cancel'])
  })

  it('before it has a name is cancelled once it has one', async () => {
    const servers = await started()
    const control = new AbortController()
    const late = call(servers, 'late', { signal: control.signal })
    await eventually(async () => expect(methods(await seen(servers))).toEqual(['tools/call']))
    control.abort()
    await expect(late).rejects.toEqual(fails('cancelled'))
    await eventually(async () => expect(methods(await seen(servers))).toEqual(['tools/call', 'tasks/cancel']))
  })
})

describe('a task whose connection is lost', () => {
  it('is asked for again on the next one, and never begun again', async () => {
    const servers = makeServers({})
    const file = join(servers.folder, 'kept')
    servers.configure(new Map([['a', raw('core-tasks', 'keeps', file)]]))
    await servers.start('a')
    expect(text(await call(servers, 'survives'))).toBe('kept')
    expect(methods(await seen(servers))).toEqual(['tasks/get', 'tasks/result'])
    expect(servers.audit.entries.filter(({ decision }) => decision === 'sent' || decision === 'done').map(({ tool }) => tool)).toEqual([
      'survives',
      'survives',
      'seen',
      'seen',
    ])
  })

  it('has an unknown outcome when the server does not know it any more', async () => {
    const servers = await started()
    await expect(call(servers, 'lost')).rejects.toEqual(fails('tool.outcome-unknown', { because: 'task-forgotten', taskId: 'lost' }))
    expect(methods(await seen(servers))).toEqual(['tasks/get'])
    await expect(call(servers, 'forgets')).rejects.toEqual(fails('tool.outcome-unknown', { because: 'task-forgotten' }))
  })

  it('has an unknown outcome when its time is over and nothing has come of it; the server is told', async () => {
    const servers = await started()
    await expect(call(servers, 'stuck')).rejects.toEqual(fails('tool.outcome-unknown', { because: 'task-expired' }))
    expect(methods(await seen(servers))).toContain('tasks/cancel')
  })
})
