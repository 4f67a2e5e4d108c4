// Tasks of 2026-07-28 (an extension) with a server written by hand: what the caller gets, and what the server saw.
import { afterEach, describe, expect, it } from 'vitest'
import type { Progress } from '#app/chat/message.ts'
import type { JsonObject } from '#app/json.ts'
import { isProtocolError } from '#main/base/protocol-error.ts'
import {
  approve,
  closeServers,
  eventually,
  makeServers,
  noHandlers,
  raw,
  type TestServers,
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
}

const fails = (code: string, data: object = {}) => expect.objectContaining({ code, data: expect.objectContaining(data) })
const text = (result: unknown): string => (result as { content: { text: string }[] }).content[0]?.text ?? ''

async function started(handlers: Partial<ServerRequestHandlers> = {}, ...args: string[]): Promise<TestServers> {
  const servers = makeServers({ a: raw('modern-tasks', ...args) }, { handlers: { ...noHandlers, ...handlers } })
  await servers.start('a')
  return servers
}
const call = async (servers: TestServers, tool: string, options: Partial<CallOptions> = {}) =>
  (await servers.call(approve(servers, 'a', tool), { signal: new AbortController().signal, ...options })).result
const seen = async (servers: TestServers): Promise<Sent[]> => JSON.parse(text(await call(servers, 'seen'))) as Sent[]
const methods = (sent: readonly Sent[]): (string | undefined)[] =>
  sent.map(({ method }) => method).filter((method) => !method?.endsWith('/list') && method !== 'server/discover')

describe('a call that is answered with a task', () => {
  it('is asked for until it has ended, and the result comes with the end', async () => {
    const servers = await started()
    const told: Progress[] = []
    expect(await call(servers, 'plain', { onProgress: (progress) => told.push(progress) })).toEqual({
      content: [{ type: 'text', text: 'done' }],
    })
    expect(told.map(({ message }) => message)).toEqual(['step 1', 'step 2'])
    const sent = await seen(servers)
    expect(methods(sent)).toEqual(['tools/call', 'tasks/get', 'tasks/get', 'tasks/get'])
    const declared = sent.map(({ params }) => params?.['_meta'] as JsonObject | undefined)
    expect(declared.map((meta) => meta?.['io.modelcontextprotocol/clientCapabilities'])).toEqual(
      sent.map(() => expect.objectContaining({ extensions: expect.objectContaining({ 'io.modelcontextprotocol/tasks': {} }) })),
    )
    expect(sent.filter(({ method }) => method === 'tools/call').every(({ params }) => params && !('task' in params))).toBe(true)
  })

  it('ends as the tool’s own error, a protocol error, the server’s cancel, or nothing that is a result', async () => {
    const servers = await started()
    expect(await call(servers, 'errs')).toMatchObject({ isError: true })
    const broken = await call(servers, 'breaks').catch((error: unknown) => error)
    expect(broken).toSatisfy(isProtocolError)
    expect(broken).toMatchObject({ code: -32603 })
    await expect(call(servers, 'dropped')).rejects.toEqual(fails('tool.task-cancelled'))
    await expect(call(servers, 'empty')).rejects.toEqual(fails('server.protocol'))
  })

  it('may ask the person in its course: each question once, however often it is named', async () => {
    const asked: { readonly message: string; readonly by: AskedBy }[] = []
    const servers = await started({
      elicitation: ({ message }, by) => {
        asked.push({ message, by })
        return Promise.resolve({ action: 'accept', content: { name: message } })
      },
    })
    const answer = { action: 'accept', content: { name: 'First?' } }
    expect(JSON.parse(text(await call(servers, 'asks')))).toEqual({
      first: answer,
      second: { action: 'accept', content: { name: 'Second?' } },
    })
    expect(asked).toMatchObject([
      { message: 'First?', by: { server: 'a', call: { callId: 'call-asks' } } },
      { message: 'Second?', by: { call: { callId: 'call-asks' } } },
    ])
    const updates = (await seen(servers)).filter(({ method }) => method === 'tasks/update').map(({ params }) => params?.['inputResponses'])
    expect(updates).toEqual([{ first: answer }, { second: expect.anything() }])
  })

  it('that asks for what no server may ask is cancelled', async () => {
    const servers = await started()
    await expect(call(servers, 'rude')).rejects.toEqual(fails('consent.denied', { protocolCode: -32601 }))
    expect(methods(await seen(servers)).at(-1)).toBe('tasks/cancel')
  })

  it('is cancelled by its own request, and its call is not taken back', async () => {
    const servers = await started()
    const control = new AbortController()
    const slow = call(servers, 'slow', { signal: control.signal })
    await eventually(async () => expect(methods(await seen(servers))).toEqual(['tools/call']))
    control.abort()
    await expect(slow).rejects.toEqual(fails('cancelled'))
    expect(methods(await seen(servers))).toEqual(['tools/call', 'tasks/cancel'])
  })

  it('and is no tool call is an error, and is not asked for', async () => {
    const servers = await started()
    await expect(servers.getPrompt('a', 'odd', {}, { signal: new AbortController().signal })).rejects.toEqual(fails('server.protocol'))
    expect(methods(await seen(servers)).filter((method) => method?.startsWith('tasks/'))).toEqual([])
  })

  it('is not waited for on a server that does not know the extension', async () => {
    expect(text(await call(await started({}, 'undeclared'), 'plain'))).toBe('no task')
  })
})
