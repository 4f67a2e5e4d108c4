import { ProtocolError } from '@modelcontextprotocol/client'
import { afterEach, describe, expect, it } from 'vitest'
import type { Progress } from '#app/chat/message.ts'
import type { JsonObject } from '#app/json.ts'
import { systemClock } from '#main/base/clock.ts'
import { keptTexts } from '#main/base/json-size.ts'
import { onWindows } from '#main/base/this-system.testing.ts'
import { classifyWithdrawal } from '#main/consent/request-queue.ts'
import {
  approve,
  closeServers,
  eventually,
  isProcessAlive,
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

const fails = (code: string, data: object = {}) => expect.objectContaining({ code, data: expect.objectContaining(data) })
const text = (result: unknown): string => (result as { content: { text: string }[] }).content[0]?.text ?? ''

async function started(name = 'tools', handlers: Partial<ServerRequestHandlers> = {}, clock = systemClock): Promise<TestServers> {
  const servers = makeServers({ a: raw(name) }, { handlers: { ...noHandlers, ...handlers }, clock })
  await servers.start('a')
  return servers
}
const call = (servers: TestServers, tool: string, args: JsonObject = {}, options: Partial<CallOptions> = {}) =>
  servers.call(approve(servers, 'a', tool, args), { signal: new AbortController().signal, ...options })

describe('a call', () => {
  it('sends what was approved and gives back what came, to the letter', async () => {
    const servers = await started()
    const args = { nested: { z: [1, null, 'é'], a: true } }
    const { result, bytes, session } = await call(servers, 'echo', args)
    expect(result).toEqual({ content: [{ type: 'text', text: JSON.stringify(args) }], surprise: { kept: true } })
    expect([bytes > 50, session.era]).toEqual([true, 'legacy'])
    expect(servers.audit.entries.map(({ kind, decision, tool }) => [kind, decision, tool])).toEqual([
      ['call', 'sent', 'echo'],
      ['result', 'done', 'echo'],
    ])
    const hash = expect.stringMatching(/^[0-9a-f]{64}$/)
    expect(servers.audit.entries.map(({ detail }) => detail)).toMatchObject([{ sha256: hash }, { sha256: hash, bytes }])
  })

  it('starts its server when it is needed, from what was remembered', async () => {
    const servers = await started()
    const approval = approve(servers, 'a', 'echo')
    await servers.stop('a')
    expect(servers.tools().some(({ tool }) => tool.name === 'echo')).toBe(true)
    const { result } = await servers.call(approval, { signal: new AbortController().signal })
    expect(text(result)).toBe('{}')
  })

  it('is made once with one approval', async () => {
    const servers = await started()
    const approval = approve(servers, 'a', 'echo')
    const options = { signal: new AbortController().signal }
    await servers.call(approval, options)
    await expect(servers.call(approval, options)).rejects.toEqual(fails('internal'))
    await expect(servers.call({ ...approval }, options)).rejects.toEqual(fails('internal'))
    expect(servers.audit.entries.filter(({ kind }) => kind === 'call')).toHaveLength(1)
  })

  it('is not made when the tool is not what was approved', async () => {
    const servers = await started()
    const before = approve(servers, 'a', 'echo')
    await call(servers, 'change')
    await eventually(() => expect(servers.catalogue('a').tools.find(({ name }) => name === 'echo')?.description).toContain('tells others'))
    await expect(servers.call(before, { signal: new AbortController().signal })).rejects.toEqual(fails('tool.changed'))
    await expect(call(servers, 'nothing-like-it')).rejects.toEqual(fails('tool.unknown'))
  })

  it('keeps a tool error, a content type it does not know, and a protocol error apart', async () => {
    const servers = await started()
    expect((await call(servers, 'fails')).result).toMatchObject({ isError: true })
    expect((await call(servers, 'odd')).result).toEqual({ content: [{ type: 'hologram', depth: 3 }] })
    const refusal = await call(servers, 'refuses').catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(ProtocolError)
    expect(refusal).toMatchObject({ code: -32602 })
  })

  it('ends at once, with its outcome unknown, when the server dies', async () => {
    const servers = await started()
    const hanging = call(servers, 'hang').catch((error: unknown) => error)
    await expect(call(servers, 'exit')).rejects.toEqual(fails('tool.outcome-unknown', { because: 'server.exited', code: 7 }))
    expect(await hanging).toEqual(fails('tool.outcome-unknown', { because: 'server.exited', code: 7 }))
    expect(servers.state('a')).toMatchObject({
      kind: 'failed',
      exit: { code: 7, signal: null },
      error: { data: { stderr: ['the tools are open'] } },
    })
    await eventually(() => expect(servers.state('a').kind).toBe('ready'))
    expect(servers.audit.entries.filter(({ kind }) => kind === 'call')).toHaveLength(2)
  })

  it('of a killed server ends at once too', async () => {
    const servers = await started()
    const hanging = call(servers, 'hang')
    hanging.catch(() => undefined)
    const [pid] = servers.pids()
    if (pid === undefined) throw new Error('it has no process')
    process.kill(pid, 'SIGKILL')
    // Windows has no signals: its program ends with code 1 (libuv, `uv_kill`).
    await expect(hanging).rejects.toEqual(fails('tool.outcome-unknown', onWindows ? { code: 1 } : { signal: 'SIGKILL' }))
    await servers.stop('a')
    expect(isProcessAlive(pid)).toBe(false)
  })

  it('of a server that lives on but has closed its end is lost too, and the server goes', async () => {
    const servers = await started()
    const [pid] = servers.pids()
    await expect(call(servers, 'mute')).rejects.toEqual(fails('tool.outcome-unknown', { because: 'server.connection-lost' }))
    await eventually(() => expect([isProcessAlive(pid ?? 0), servers.state('a').kind]).toEqual([false, 'ready']))
  })

  it('is ended by stop', async () => {
    const servers = await started()
    const hanging = call(servers, 'hang').catch((error: unknown) => error)
    await eventually(() => expect(servers.audit.entries).toHaveLength(1))
    await servers.stop('a')
    expect(await hanging).toEqual(fails('tool.outcome-unknown', { because: 'server.stopped' }))
  })

  it('tells the server when it is cancelled', async () => {
    const servers = await started()
    const control = new AbortController()
    const hanging = call(servers, 'hang', {}, { signal: control.signal })
    await eventually(() => expect(servers.audit.entries).toHaveLength(1))
    control.abort()
    await expect(hanging).rejects.toEqual(fails('cancelled'))
    await eventually(async () => expect(text((await call(servers, 'cancelled')).result)).toBe('1'))
  })

  it('is not even sent when it was cancelled before', async () => {
    const servers = await started()
    await expect(call(servers, 'echo', {}, { signal: AbortSignal.abort() })).rejects.toEqual(fails('cancelled'))
    expect(servers.audit.entries).toEqual([])
  })

  it('may take as long as there is word of it', async () => {
    const servers = await started()
    const words: Progress[] = []
    const { result } = await call(servers, 'steps', {}, { timeoutMs: 1000, onProgress: (word) => words.push(word) })
    expect([text(result), words.map(({ progress }) => progress)]).toEqual(['done', [1, 2, 3]])
    await expect(call(servers, 'hang', {}, { timeoutMs: 100 })).rejects.toEqual(fails('tool.timeout'))
    expect(text((await call(servers, 'cancelled')).result)).toBe('1')
  })
})

describe('a structured result', () => {
  it('is checked against the schema of its tool', async () => {
    const servers = await started()
    expect((await call(servers, 'good')).result).toMatchObject({ structuredContent: { total: 3 } })
    await expect(call(servers, 'bad')).rejects.toEqual(fails('tool.result-invalid', { place: '/total' }))
  })

  it('is checked, and can be read, also when it is so large that it is kept as text', async () => {
    const servers = await started()
    const { result, bytes } = await call(servers, 'good', { rows: 50_000 })
    expect([keptTexts(result)?.has('structuredContent'), bytes]).toEqual([true, JSON.stringify(result).length])
    expect(result).toMatchObject({ structuredContent: { total: 3, rows: { length: 50_000, 49999: { n: 49_999 } } } })
    await expect(call(servers, 'bad', { rows: 50_000 })).rejects.toEqual(fails('tool.result-invalid', { place: '/total' }))
  })

  it('must be there when the tool has a schema for it, unless it says that it failed', async () => {
    const servers = await started()
    await expect(call(servers, 'bare')).rejects.toEqual(fails('tool.result-invalid', { reason: 'missing' }))
    expect((await call(servers, 'bare', { fail: true })).result).toMatchObject({ isError: true })
  })

  it('passes, with a word in the log, when its schema cannot be used or takes too long', async () => {
    const servers = await started()
    expect((await call(servers, 'remote')).result).toMatchObject({ structuredContent: { a: 1 } })
    expect((await call(servers, 'slow')).result).toHaveProperty('structuredContent')
    expect(servers.log('a').lines.filter(({ source }) => source === 'host')).toHaveLength(2)
    expect((await call(servers, 'good')).result).toHaveProperty('structuredContent')
  })
})

describe('what a server asks', () => {
  const waits = (asked: AskedBy[], until: () => Promise<unknown>): Partial<ServerRequestHandlers> => ({
    elicitation: async (_params, by) => {
      asked.push(by)
      await until()
      return { action: 'accept', content: { name: 'Ada' } }
    },
  })
  const rests = (ms: number) => () => new Promise((resolve) => setTimeout(resolve, ms))

  it.each(['tools', 'modern'])('is answered in the course of its call, whose time stands still (%s)', async (kind) => {
    const asked: AskedBy[] = []
    const timeoutMs = 61_234
    const { clock, standsStill } = watchTimers(timeoutMs)
    const servers = await started(kind, waits(asked, standsStill), clock)
    const tool = kind === 'modern' ? 'whoami' : 'ask'
    const { result } = await call(servers, tool, {}, { timeoutMs })
    expect(text(result)).toContain('Ada')
    expect(asked).toMatchObject([{ server: 'a', call: { callId: `call-${tool}` } }])
  })

  it('belongs to no call for certain when two are in flight', async () => {
    const asked: AskedBy[] = []
    const servers = await started('tools', waits(asked, rests(10)))
    const control = new AbortController()
    const hanging = call(servers, 'hang', {}, { signal: control.signal }).catch(() => undefined)
    await call(servers, 'ask')
    expect(asked.map((by) => by.call)).toEqual([undefined])
    control.abort()
    await hanging
  })

  it('is withdrawn when the server dies', async () => {
    const asked: AskedBy[] = []
    const servers = await started('tools', waits(asked, rests(5000)))
    const asking = call(servers, 'ask').catch((error: unknown) => error)
    await eventually(() => expect(asked).toHaveLength(1))
    expect(asked[0]?.signal.aborted).toBe(false)
    await servers.stop('a')
    expect([asked[0]?.signal.aborted, await asking]).toEqual([true, fails('tool.outcome-unknown')])
    expect(classifyWithdrawal(asked[0]?.signal.reason, true)).toEqual({ because: 'server-gone' })
  })

  it('is withdrawn when its call is cancelled (modern)', async () => {
    const asked: AskedBy[] = []
    const servers = await started('modern', waits(asked, rests(5000)))
    const control = new AbortController()
    const asking = call(servers, 'whoami', {}, { signal: control.signal }).catch((error: unknown) => error)
    await eventually(() => expect(asked).toHaveLength(1))
    control.abort()
    expect([asked[0]?.signal.aborted, await asking]).toEqual([true, fails('cancelled')])
  })
})
