// Rules, budget and record of answers that servers want of the model, through the broker over a real store.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ConsentAnswer } from '#app/consent/request.ts'
import type { RuleDraft } from '#app/consent/rules/rule.ts'
import { makeBroker, makeToolEntry, type TestBroker, thrownBy } from '../broker.testing.ts'
import type { BrokerSamplingVerdict, SamplingQuestion, SamplingResultQuestion } from '../broker-api.ts'

let t: TestBroker
beforeEach(() => {
  t = makeBroker()
})
afterEach(() => t.dispose())

const yes = { kind: 'allow', scope: 'once' } as const
const standing = (part: Partial<NonNullable<Extract<ConsentAnswer, { kind: 'allow' }>['standing']>> = {}): ConsentAnswer => ({
  kind: 'allow',
  scope: 'always',
  standing: { step: 'requests', tokensPerDay: 1000, ...part },
})
const approval: RuleDraft = {
  effect: 'allow',
  server: 'notes',
  sampling: { step: 'requests', tokensPerDay: 1000 },
  scope: { kind: 'always' },
}

/** A prompt of two tokens. */
const question = (part: Partial<SamplingQuestion> = {}): SamplingQuestion => ({
  server: 'notes',
  conversationId: 'c1',
  signal: t.abort.signal,
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'Sum up.' }] }],
  tools: [],
  toolChoice: 'auto',
  maxTokens: 98,
  hints: [],
  model: 'a/one',
  original: {},
  trusted: true,
  ...part,
})
const result = (part: Partial<SamplingResultQuestion> = {}): SamplingResultQuestion => ({
  server: 'notes',
  conversationId: 'c1',
  signal: t.abort.signal,
  model: 'a/one',
  text: 'The sum',
  calls: [],
  trusted: true,
  ...part,
})
const save = (draft: RuleDraft) => t.broker.saveRule(draft, { tools: [] })
const used = (): number => t.broker.samplingDay('notes').used

async function allowed(verdict: Promise<BrokerSamplingVerdict>): Promise<Extract<BrokerSamplingVerdict, { kind: 'allowed' }>> {
  const found = await verdict
  if (found.kind !== 'allowed') throw new Error(`it was ${found.kind}`)
  return found
}

describe('a standing rule', () => {
  test('is made by the answer, and then neither prompt nor answer is asked; both are on record in words', async () => {
    const first = t.broker.sampling(question())
    t.answer(standing())
    ;(await allowed(first)).spent(50)
    expect(t.broker.rules()).toMatchObject([
      { effect: 'allow', server: 'notes', sampling: { step: 'requests', tokensPerDay: 1000 }, scope: { kind: 'always' } },
    ])
    expect(await t.broker.sampling(question())).toMatchObject({ kind: 'allowed', decision: { by: 'rule', scope: 'always' } })
    expect(await t.broker.samplingResult(result())).toBe('The sum')
    expect(t.asked).toHaveLength(1)
    expect(t.rows().slice(-2)).toMatchObject([
      { decision: 'allowed', by: 'rule', server: 'notes', detail: { words: 'Sum up.', rule: expect.stringContaining('1,000') } },
      { decision: 'allowed', by: 'rule', detail: { words: 'The sum' } },
    ])
  })

  test('about answers hands them over and goes on showing prompts', async () => {
    const first = t.broker.samplingResult(result())
    t.answer({ ...yes, scope: 'conversation', standing: { step: 'answers', tokensPerDay: 1000 } })
    await first
    expect(await t.broker.samplingResult(result())).toBe('The sum')
    void t.broker.sampling(question())
    expect(t.only().kind).toBe('sampling')
  })

  test('ends with its time, and with a revocation; what was revoked can be put back', async () => {
    const rule = await save({ ...approval, expiresAt: t.profile.clock.time + 10 })
    await allowed(t.broker.sampling(question()))
    t.profile.clock.time += 10
    const late = t.broker.sampling(question())
    expect(t.only().why).toEqual({ kind: 'server-asks' })
    t.answer(yes)
    await late
    t.broker.removeRule(rule.id)
    t.broker.restoreRule(rule.id)
    expect(t.broker.rules()).toEqual([rule])
  })

  test('is void once another program stands behind the name', async () => {
    const launched = async (command: string): Promise<void> => {
      const target = { transport: 'stdio' as const, command, args: [], envNames: [] }
      const verdict = t.broker.launch({ server: 'notes', signal: t.abort.signal, target })
      if (t.broker.open().length > 0) t.answer({ ...yes, scope: 'always' })
      await verdict
    }
    // Given while no program was approved, as to the built-in server: to none that comes.
    await save(approval)
    await launched('a')
    expect(t.broker.rules()).toEqual([])
    await save(approval)
    await launched('a')
    expect(t.broker.rules()).toHaveLength(1)
    await launched('b')
    expect(t.broker.rules()).toEqual([])
  })

  test('does not count for a server that is not trusted, unless it says so', async () => {
    await save(approval)
    const verdict = t.broker.sampling(question({ trusted: false }))
    expect(t.only().why.kind).toBe('sampling-untrusted')
    t.answer(standing({ untrusted: true }))
    await verdict
    expect(await t.broker.sampling(question({ trusted: false }))).toMatchObject({ decision: { by: 'rule' } })
  })

  test('answers what waits already', async () => {
    const verdict = t.broker.sampling(question())
    const rule = await save(approval)
    expect(await verdict).toMatchObject({ decision: { by: 'rule', ruleId: rule.id } })
    expect(t.broker.open()).toEqual([])
  })

  test('without a limit is not taken', () => {
    void t.broker.sampling(question())
    expect(thrownBy(() => t.answer(standing({ tokensPerDay: undefined })))).toMatchObject({ code: 'contract.invalid' })
  })

  test('never hands over what asks for tools, and a “never” about the tool keeps it back', async () => {
    await save(approval)
    const calls = [{ id: 'c', name: 'wipe', input: { path: '/a' } }]
    const shown = t.broker.samplingResult(result({ calls }))
    expect(t.only()).toMatchObject({ why: { kind: 'sampling-tools' }, calls })
    t.answer(yes)
    expect(await shown).toBe('The sum')
    await save({ effect: 'deny', server: 'notes', tool: 'wipe', scope: { kind: 'always' } })
    expect(await t.broker.samplingResult(result({ calls }))).toBeUndefined()
    expect(t.rows().at(-1)).toMatchObject({ decision: 'denied', by: 'rule' })
  })

  test('an approval of a tool does not hand over what asks for it', async () => {
    const verdict = t.broker.toolCall(t.call({ server: 'notes', tool: makeToolEntry({ name: 'wipe' }) }))
    t.answer({ ...yes, scope: 'always' })
    await verdict
    void t.broker.samplingResult(result({ calls: [{ id: 'c', name: 'wipe', input: {} }] }))
    expect(t.only().kind).toBe('sampling-result')
  })
})

describe('the tokens of a day', () => {
  test('count what an answer may take while it is written, and then what it took', async () => {
    const verdict = t.broker.sampling(question())
    t.answer(yes)
    const { spent } = await allowed(verdict)
    expect(used()).toBe(100)
    spent(30)
    spent(70)
    expect(used()).toBe(30)
  })

  test('stop a rule at its limit, also for what is asked at the same time', async () => {
    await save({ ...approval, sampling: { step: 'requests', tokensPerDay: 250 } })
    const verdicts = [1, 2, 3].map(() => t.broker.sampling(question()))
    await Promise.all(verdicts.slice(0, 2))
    expect(t.only().why.kind).toBe('sampling-limit')
  })

  test('beyond the budget are asked for, whatever a rule says, or refused', async () => {
    await save(approval)
    t.profile.store().sampling.putBudget('notes', { tokensPerDay: 99, over: 'ask' })
    const verdict = t.broker.sampling(question())
    expect(t.only()).toMatchObject({ why: { kind: 'sampling-budget' }, day: { used: 0, budget: { tokensPerDay: 99 } } })
    t.answer(yes)
    await verdict
    t.profile.store().sampling.putBudget('notes', { tokensPerDay: 99, over: 'refuse' })
    expect(await t.broker.sampling(question())).toMatchObject({ kind: 'denied', decision: { by: 'policy', word: expect.any(String) } })
    expect(t.rows().at(-1)).toMatchObject({ decision: 'denied', by: 'policy' })
  })

  test('survive a restart, belong to one server, and begin anew with the day', async () => {
    const verdict = t.broker.sampling(question())
    t.answer(yes)
    ;(await allowed(verdict)).spent(30)
    const next = t.restart()
    expect([next.samplingDay('notes').used, next.samplingDay('other').used]).toEqual([30, 0])
    t.profile.clock.time += 24 * 3_600_000
    expect(next.samplingDay('notes').used).toBe(0)
  })

  test('of yesterday are not set right today', async () => {
    const verdict = t.broker.sampling(question())
    t.answer(yes)
    const { spent } = await allowed(verdict)
    t.profile.clock.time += 24 * 3_600_000
    spent(30)
    expect(used()).toBe(0)
  })
})

describe('the longest answer', () => {
  test('is what the person says', async () => {
    const verdict = t.broker.sampling(question())
    t.answer({ ...yes, maxTokens: 40 })
    expect(await verdict).toMatchObject({ approval: { maxTokens: 40 } })
  })

  test('is never longer than the server asked for', () => {
    void t.broker.sampling(question())
    expect(thrownBy(() => t.answer({ ...yes, maxTokens: 99 }))).toMatchObject({ code: 'contract.invalid' })
  })
})

test.each(['ask-all', 'rules-only'] as const)('a conversation’s mode %s holds for answers of the model, too', async (mode) => {
  t.setMode('c1', mode)
  if (mode === 'rules-only') expect(await t.broker.sampling(question())).toMatchObject({ kind: 'denied', decision: { by: 'mode', mode } })
  await save(approval)
  const verdict = t.broker.sampling(question())
  if (mode === 'ask-all') t.answer(yes)
  expect(await verdict).toMatchObject({ kind: 'allowed', decision: { by: mode === 'ask-all' ? 'person' : 'rule' } })
})
