// Sampling with tools through the whole host, with the practice model and a server written by hand: what the person is
// shown, and what the server hears.
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { openWholeHost, textOf, type WholeHost } from '../whole-host.ts'

const open: WholeHost[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((kit) => kit.remove()))
})

async function whole(...args: string[]): Promise<WholeHost> {
  const program = fileURLToPath(new URL('./samples.ts', import.meta.url))
  const kit = await openWholeHost('samples', { command: process.execPath, args: [program, ...args] }, [])
  open.push(kit)
  return kit
}
const kinds = ({ asked }: WholeHost): string[] => asked.map(({ kind }) => kind).filter((kind) => kind.startsWith('sampling'))

describe.each([['2025-11-25'], ['2026-07-28', 'modern']])('a server of %s that asks with tools', (_revision, ...args) => {
  it('hears which tool the model wants, after two assents each time, and runs it itself', async () => {
    const kit = await whole(...args)
    const [first, second] = JSON.parse(textOf(await kit.call('agent'))) as [object, object]
    expect(first).toMatchObject({
      role: 'assistant',
      stopReason: 'toolUse',
      content: [{ type: 'tool_use', id: expect.any(String), name: 'get.weather', input: { city: 'Paris' } }],
    })
    expect(second).toMatchObject({ stopReason: 'endTurn', content: { type: 'text', text: expect.stringContaining('18 degrees in Paris') } })
    expect(kinds(kit)).toEqual(['sampling', 'sampling-result', 'sampling', 'sampling-result'])
    const shown = kit.asked.filter(({ kind }) => kind.startsWith('sampling'))
    expect(shown[0]).toMatchObject({ tools: [{ name: 'get.weather', description: 'The weather of a city' }], toolChoice: 'auto' })
    expect(shown[1]).toMatchObject({ text: '', calls: [{ name: 'get.weather', input: { city: 'Paris' } }], stopReason: 'toolUse' })
    expect(shown[2]).toMatchObject({
      toolChoice: 'none',
      messages: [
        { role: 'user' },
        { role: 'assistant', parts: [{ type: 'tool-use', name: 'get.weather' }] },
        { role: 'user', parts: [{ type: 'tool-result', content: [{ text: '18 degrees in Paris' }] }] },
      ],
    })
    expect(shown[3]).toMatchObject({ calls: [] })
  })

  it('hears nothing of what the model wants when the person keeps it back', async () => {
    const kit = await whole(...args)
    kit.say('sampling-result', { kind: 'deny' })
    const heard = await kit.call('agent').then(textOf, (error: { code: string }) => error.code)
    expect(heard === 'consent.denied' || heard.includes('"code":-1')).toBe(true)
    expect(kinds(kit)).toEqual(['sampling', 'sampling-result'])
  })

  it('is given no word once a “never” of the person names the tool that the model wants', async () => {
    const kit = await whole(...args)
    await kit.host.request('rule.save', { rule: { effect: 'deny', server: 'samples', tool: 'get.*', scope: { kind: 'always' } } })
    await kit.call('agent').catch(() => undefined)
    expect(kinds(kit)).toEqual(['sampling'])
    expect((await kit.host.request('audit.list', { limit: 50 })).rows.filter(({ by }) => by === 'rule')).toMatchObject([
      { decision: 'denied', detail: { request: 'sampling-result' } },
    ])
  })

  it('is answered unasked by a rule up to its limit, but for what it would run; revoked, it is asked again', async () => {
    const kit = await whole(...args)
    const standing = { step: 'requests', tokensPerDay: 5000, untrusted: true } as const
    kit.say('sampling', { kind: 'allow', scope: 'always', standing })
    await kit.call('agent')
    const both = ['sampling', 'sampling-result']
    expect(kinds(kit)).toEqual(both)
    await kit.call('agent')
    expect(kinds(kit)).toEqual([...both, 'sampling-result'])
    expect(kit.asked.at(-1)).toMatchObject({ why: { kind: 'sampling-tools' }, calls: [{ name: 'get.weather' }] })
    const [rule] = kit.host.snapshot().rules
    expect(rule).toMatchObject({ server: 'samples', sampling: standing })
    await kit.host.request('rule.remove', { id: String(rule?.id) })
    kit.say('sampling', { kind: 'allow', scope: 'once' })
    await kit.call('agent')
    expect(kinds(kit).slice(3)).toEqual([...both, ...both])
  })

  it('is refused unasked beyond its budget of the day, where the person wants it so', async () => {
    const kit = await whole(...args)
    await kit.call('agent')
    const { used } = await kit.host.request('server.sampling', { name: 'samples' })
    expect(used).toBeGreaterThan(0)
    const asked = kinds(kit).length
    await kit.host.request('server.setSamplingBudget', { name: 'samples', budget: { tokensPerDay: used + 1, over: 'refuse' } })
    const heard = await kit.call('agent').then(textOf, (error: { code: string }) => error.code)
    expect(heard === 'consent.denied' || heard.includes('"code":-1')).toBe(true)
    expect(kinds(kit)).toHaveLength(asked)
    await kit.host.request('server.setSamplingBudget', { name: 'samples', budget: { tokensPerDay: used + 1, over: 'ask' } })
    await kit.call('agent')
    expect(kit.asked.find(({ kind, why }) => kind === 'sampling' && why.kind === 'sampling-budget')).toMatchObject({ day: { used } })
  })

  it('and breaks its rules is refused as invalid, and nobody is asked', async () => {
    const kit = await whole(...args)
    const heard = await kit.call('broken').then(textOf, (error: { data: { protocolCode: number } }) => String(error.data.protocolCode))
    expect(heard).toContain('-32602')
    expect(kinds(kit)).toEqual([])
  })
})

it('is told that the host takes tools, and no context of others', async () => {
  const { host } = await whole()
  const declared = JSON.parse(host.context.servers.instructions()[0]?.text ?? '{}') as object
  expect(declared).toMatchObject({ sampling: { tools: {} } })
  expect(declared).not.toHaveProperty('sampling.context')
})
