// What a server of 2024-11-05 asks, takes back and calls off, and what it is told.
import { afterEach, describe, expect, it } from 'vitest'
import { classifyWithdrawal } from '#main/consent/request-queue.ts'
import type { AskedBy } from '#main/servers/client/requests/server-request-handlers.ts'
import { approve, closeServers } from '#main/servers/lifecycle/servers.testing.ts'
import { type Line, type Recorded, recorded } from './recorded.ts'

afterEach(async () => {
  expect(await closeServers()).toEqual([])
})

const { signal } = new AbortController()
const call = async ({ servers }: Recorded, tool: string): Promise<unknown> => {
  const { result } = await servers.call(approve(servers, 'a', tool), { signal })
  return (result as { readonly content: readonly { readonly text: string }[] }).content[0]?.text
}
const answersTo = (lines: Line[], id: string): Line['message'][] =>
  lines.flatMap(({ by, message }) => (by === 'host' && message['id'] === id && !('method' in message) ? [message] : []))

describe('a question', () => {
  it('that its server takes back is not answered, and the log says why', async () => {
    const asked: AskedBy[] = []
    const withdrawn = Promise.withResolvers<void>()
    const kit = recorded('', {
      elicitation: async (_params, by) => {
        asked.push(by)
        if (!by.signal.aborted) await new Promise((resolve) => by.signal.addEventListener('abort', resolve, { once: true }))
        withdrawn.resolve()
        return { action: 'accept', content: { name: 'too late' } }
      },
    })
    await kit.servers.start('a')
    expect(await call(kit, 'takesBack')).toBe('heard')
    await withdrawn.promise
    expect(await call(kit, 'echo')).toBe('{}')
    expect(asked.map((by) => classifyWithdrawal(by.signal.reason, true))).toEqual([{ because: 'taken-back', word: 'never mind' }])
    expect(answersTo(kit.lines(), 'taken-back')).toEqual([])
    expect(answersTo(kit.lines(), 'after')).toHaveLength(1)
    expect(kit.servers.log('a').lines).toMatchObject([{ source: 'host', text: expect.stringContaining('never mind') }])
  })

  it('that the host fails to answer gets an internal error', async () => {
    const kit = recorded('', { elicitation: () => Promise.reject(new Error('the disk is full')) })
    await kit.servers.start('a')
    expect(await call(kit, 'asksOnce')).toBe('heard')
    expect(answersTo(kit.lines(), 'once')).toEqual([{ jsonrpc: '2.0', id: 'once', error: { code: -32603, message: expect.any(String) } }])
  })
})

it('what is called off wrongly changes nothing', async () => {
  const kit = recorded()
  await kit.servers.start('a')
  await call(kit, 'takesBack')
  expect(await call(kit, 'callsOff')).toBe('called off')
  expect(await call(kit, 'asksOnce')).toBe('heard')
  expect(kit.servers.state('a').kind).toBe('ready')
})
