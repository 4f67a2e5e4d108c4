import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { LaunchTarget } from '#app/consent/request.ts'
import { makeBroker, type TestBroker } from './broker.testing.ts'
import { createBroker } from './broker.ts'
import type { ConsentBroker } from './broker-api.ts'
import { createLaunchValues, type LaunchKeyStore } from './broker-context.ts'

const target: LaunchTarget = { transport: 'streamable-http', url: 'https://x.example/mcp', headerNames: ['A', 'X-Token'] }

function keyStore(kind: 'keyring' | 'memory' = 'keyring'): LaunchKeyStore & { readonly values: Map<string, string>; locked: boolean } {
  const values = new Map<string, string>()
  const store = {
    kind,
    values,
    locked: false as boolean,
    get: async (name: string) => (store.locked ? Promise.reject(new Error('locked')) : values.get(name)),
    set: async (name: string, value: string) => void values.set(name, value),
  }
  return store
}

let t: TestBroker
let keys: ReturnType<typeof keyStore>
beforeEach(() => {
  t = makeBroker()
  keys = keyStore()
})
afterEach(() => t.dispose())

/** Another run of the host over the same profile. */
const run = (secrets: LaunchKeyStore = keys): ConsentBroker =>
  createBroker({
    rules: t.profile.store().rules,
    sampling: t.profile.store().sampling,
    audit: t.profile.store().audit,
    emit: () => {},
    clock: t.profile.clock,
    secrets,
  })

async function start(broker: ConsentBroker, values: Record<string, string>, answer: 'allow' | 'deny' = 'allow') {
  const launched = broker.launch({ server: 'x', target, values, signal: t.abort.signal, onAsked: () => {} })
  await new Promise((resolve) => setImmediate(resolve))
  const [asked] = broker.open()
  if (asked) broker.answer(asked.id, answer === 'allow' ? { kind: 'allow', scope: 'once' } : { kind: 'deny' })
  return { asked, verdict: await launched }
}

describe('the values of an approved launch', () => {
  test('do not ask again while they are the same, also in another run', async () => {
    expect((await start(run(), { A: '1', 'X-Token': 's3cret' })).asked).toMatchObject({ why: { kind: 'first-launch' } })
    expect((await start(run(), { A: '1', 'X-Token': 's3cret' })).asked).toBeUndefined()
  })

  test('ask again when one has changed: its name is said, and no value', async () => {
    await start(run(), { A: '1', 'X-Token': 's3cret-one' })
    const { asked, verdict } = await start(run(), { A: '1', 'X-Token': 's3cret-two' }, 'deny')
    expect(asked).toMatchObject({ why: { kind: 'launch-changed' }, changedValues: ['X-Token'] })
    expect([asked !== undefined && 'previous' in asked ? asked.previous : undefined, verdict.kind]).toEqual([undefined, 'denied'])
    expect((await start(run(), { A: '1', 'X-Token': 's3cret-two' })).asked).toMatchObject({ changedValues: ['X-Token'] })
    expect((await start(run(), { A: '1', 'X-Token': 's3cret-two' })).asked).toBeUndefined()
    expect(JSON.stringify([asked, t.rows()])).not.toContain('s3cret')
  })

  test('are compared also when the rest has changed: names of those that stayed are said', async () => {
    await start(run(), { A: '1', 'X-Token': 'one', Gone: '1' })
    const broker = run()
    const moved = { ...target, url: 'https://y.example/mcp' }
    const launched = broker.launch({ server: 'x', target: moved, values: { A: '2', 'X-Token': 'one', New: '1' }, signal: t.abort.signal })
    await expect.poll(() => broker.open().length).toBe(1)
    const [asked] = broker.open()
    expect(asked).toMatchObject({ previous: target, target: moved, changedValues: ['A'] })
    broker.answer(asked?.id ?? '', { kind: 'deny' })
    expect((await launched).kind).toBe('denied')
  })

  test('stand in the database as digests that the key is needed for', async () => {
    await start(run(), { A: '1', 'X-Token': '1' })
    const digest = t.profile.store().rules.launch('x')?.digests[0]
    expect([digest?.kept, digest?.values['A'] === digest?.values['X-Token']]).toEqual(['keyring', false])
    const other = await createLaunchValues(keyStore()).digest({ A: '1', 'X-Token': '1' })
    expect(Object.values(other?.values ?? {}).some((one) => Object.values(digest?.values ?? {}).includes(one))).toBe(false)
    expect(JSON.stringify(digest)).not.toContain([...keys.values.values()][0])
  })

  test('of an approval that did not bind them are honoured once, and bound', async () => {
    await start(run(), { A: '1', 'X-Token': 'a' })
    const { rules } = t.profile.store()
    const { fingerprint = '', target: kept = target } = rules.launch('x') ?? {}
    rules.putLaunch('x', { fingerprint, target: kept, digests: [] })
    expect((await start(run(), { A: '2', 'X-Token': 'a' })).asked).toBeUndefined()
    expect((await start(run(), { A: '1', 'X-Token': 'a' })).asked).toMatchObject({ changedValues: ['A'] })
  })

  test.each([
    ['A', { A: '2', 'X-Token': 'a' }],
    ['a token, which may be of another account', { A: '1', 'X-Token': 'b' }],
  ])('void the standing approvals of its tools, once another one is allowed for good: %s', async (_name, values) => {
    await start(run(), { A: '1', 'X-Token': 'a' })
    const { rules } = t.profile.store()
    rules.put({ id: 'r', effect: 'allow', server: 'x', tool: 't', scope: { kind: 'always' }, createdAt: 1 })
    await start(run(), values, 'deny')
    expect(rules.list().length).toBe(1)
    await start(run(), values)
    expect(rules.list().length).toBe(0)
  })

  test('that are others, allowed for once, leave the rules unanswered', async () => {
    await start(run(), { A: '1', 'X-Token': 'a' })
    t.profile.store().rules.put({ id: 'r', effect: 'allow', server: 'x', tool: 'move_file', scope: { kind: 'always' }, createdAt: 1 })
    const by = async (values: Record<string, string>) => {
      const { rules, sampling, audit } = t.profile.store()
      const policy = ({ kind }: { kind: string }) => ({ kind: kind === 'launch' ? 'allow' : 'deny', scope: 'once' }) as const
      const broker = createBroker({ rules, sampling, audit, emit: () => {}, clock: t.profile.clock, secrets: keys, policy })
      await start(broker, values)
      return (await broker.toolCall(t.call({ server: 'x' }))).kind
    }
    expect([await by({ A: '1', 'X-Token': 'b' }), await by({ A: '1', 'X-Token': 'a' })]).toEqual(['denied', 'allowed'])
  })

  test('that a locked keyring cannot tell ask again and say so', async () => {
    await start(run(), { A: '1', 'X-Token': 'a' })
    keys.locked = true
    expect((await start(run(), { A: '1', 'X-Token': 'a' })).asked).toMatchObject({ valuesUnknown: true })
    keys.locked = false
    expect((await start(run(), { A: '1', 'X-Token': 'a' })).asked).toBeUndefined()
  })

  test('are bound under the key of each shell, which has it honoured once', async () => {
    const desktop = keyStore()
    await start(run(desktop), { A: '1', 'X-Token': 'a' })
    expect((await start(run(), { A: '1', 'X-Token': 'a' })).asked).toBeUndefined()
    expect((await start(run(), { A: '2', 'X-Token': 'a' }, 'deny')).asked).toMatchObject({ changedValues: ['A'] })
    expect((await start(run(desktop), { A: '2', 'X-Token': 'a' })).asked).toMatchObject({ changedValues: ['A'] })
    expect((await start(run(), { A: '2', 'X-Token': 'a' })).asked).toBeUndefined()
  })

  test('are bound for the run alone where nothing is kept', async () => {
    const first = run(keyStore('memory'))
    await start(first, { A: '1', 'X-Token': 'a' })
    expect((await start(first, { A: '2', 'X-Token': 'a' })).asked).toMatchObject({ changedValues: ['A'] })
    expect((await start(run(keyStore('memory')), { A: '3', 'X-Token': 'a' })).asked).toBeUndefined()
  })
})
