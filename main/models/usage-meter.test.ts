import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { HostError } from '#app/errors.ts'
import type { ModelInfo } from '#app/models/models.ts'
import type { MonthBudget, Prices } from '#app/models/usage.ts'
import { defaultSettings } from '#app/settings.ts'
import { makeProfile, type TestProfile } from '#main/store/store.testing.ts'
import type { Models } from './models-api.ts'
import type { ModelEvent, ModelRequest } from './provider.ts'
import { budgetNow, meteredModels } from './usage-meter.ts'

let profile: TestProfile
beforeEach(() => {
  profile = makeProfile()
  profile.clock.time = new Date(2026, 10, 22, 12).getTime()
})
afterEach(() => profile.dispose())

const usage = { inputTokens: 1000, outputTokens: 200 }
const answer: ModelEvent[] = [
  { type: 'usage', usage: { inputTokens: 1000, outputTokens: 0 } },
  { type: 'text', index: 0, text: 'hello' },
  { type: 'usage', usage },
  { type: 'done', reason: 'end' },
]
const day = '2026-11-22'

function make(events: readonly ModelEvent[], { prices = {}, error }: { prices?: Prices; error?: Error } = {}) {
  const known: ModelInfo[] = [
    { id: 'router/priced', provider: 'router', name: 'Priced', price: { input: 2, output: 10 }, ai: true },
    { id: 'here/small', provider: 'here', name: 'Small', ai: true },
    { id: 'anthropic/claude', provider: 'anthropic', name: 'Claude', ai: true },
  ]
  const models = {
    find: (id: string) => known.find((model) => model.id === id),
    providers: () => [{ id: 'here', name: 'Here', key: { kind: 'not-needed' }, modelCount: 1, endpoint: 'local' }],
    async *stream() {
      yield* events
      if (error) throw error
    },
  } as unknown as Models
  const { usage: use } = profile.store()
  let told = 0
  const errors: unknown[] = []
  const metered = meteredModels(models, {
    store: use,
    clock: profile.clock,
    settings: () => ({ ...defaultSettings, prices }),
    onUsage: () => void told++,
    onError: (failure) => void errors.push(failure),
  })
  async function run(model: string, asked?: ModelRequest['use'], most = 9): Promise<ModelEvent[]> {
    const request = { system: '', messages: [], tools: [], ...(asked ? { use: asked } : {}) }
    const seen: ModelEvent[] = []
    for await (const event of metered.stream(model, request, new AbortController().signal)) {
      seen.push(event)
      if (seen.length === most) break
    }
    return seen
  }
  return { run, use, told: () => told, errors }
}

describe('what a model was asked for', () => {
  it('is counted once, as the provider counted it last, under its day, model and chat', async () => {
    const { run, use, told } = make(answer)
    await run('router/priced', { purpose: 'answer', conversationId: 'c1' })
    await run('router/priced', { purpose: 'title', conversationId: 'c1' })
    expect(use.total(day, day)).toMatchObject({ requests: 2, inputTokens: 2000, outputTokens: 400, unpriced: 0 })
    expect(use.total(day, day).cost).toBeCloseTo(2 * 0.004, 9)
    expect(use.byConversation(day, day).map(({ key, requests }) => [key, requests])).toEqual([['c1', 2]])
    expect(use.ofConversation('c1')).toEqual(use.total(day, day))
    expect(use.ofConversation('c2').requests).toBe(0)
    expect(use.byModel(day, day).map(({ key }) => key)).toEqual(['router/priced'])
    expect(use.total('2026-11-23', '2026-11-30').requests).toBe(0)
    expect(told()).toBe(2)
  })

  it('tells its cost with the count, so that the message keeps it', async () => {
    const seen = await make(answer).run('router/priced')
    expect(seen.at(-2)).toEqual({ type: 'usage', usage: { ...usage, cost: 0.004 } })
  })

  it.each([
    ['the person’s price before the list’s', 'router/priced', { 'router/priced': { input: 4, output: 20 } }, 0.008],
    ['nothing for what runs on this computer', 'here/small', {}, 0],
    ['the person’s price even there', 'here/small', { 'here/small': { input: 1, output: 0 } }, 0.001],
  ])('costs %s', async (_, model, prices, cost) => {
    const { run, use } = make(answer, { prices })
    await run(model)
    expect(use.total(day, day)).toMatchObject({ unpriced: 0 })
    expect(use.total(day, day).cost).toBeCloseTo(cost, 9)
  })

  it('without a price is counted as such', async () => {
    const { run, use } = make(answer)
    await run('anthropic/claude')
    expect(use.total(day, day)).toMatchObject({ requests: 1, cost: 0, unpriced: 1 })
  })

  it('counts also when the answer was cut off or nobody waited for its end', async () => {
    const failed = make(answer.slice(0, 1), { error: new HostError('model.overloaded', 'busy') })
    await expect(failed.run('anthropic/claude')).rejects.toThrow('busy')
    await make(answer).run('anthropic/claude', undefined, 1)
    expect(profile.store().usage.total(day, day)).toMatchObject({ requests: 2, inputTokens: 2000, outputTokens: 0 })
  })

  it('of the practice model, or with no count, is nothing', async () => {
    const { run, use, told } = make(answer)
    await run('practice/practice')
    await make([{ type: 'done', reason: 'end' }]).run('anthropic/claude')
    expect([use.total(day, day).requests, told()]).toEqual([0, 0])
  })
})

it('an answer goes on when it cannot be counted', async () => {
  const { run, errors } = make(answer)
  profile.store().close()
  expect((await run('anthropic/claude')).at(-1)).toEqual({ type: 'done', reason: 'end' })
  expect(errors).toHaveLength(1)
})

it('the budget is that of the calendar’s month', async () => {
  const { run, use } = make(answer)
  await run('router/priced')
  const now = (monthBudget: MonthBudget | null) => budgetNow(use, profile.clock, { ...defaultSettings, monthBudget })?.level
  expect([
    now({ unit: 'tokens', amount: 1200 }),
    now({ unit: 'tokens', amount: 1300 }),
    now({ unit: 'dollars', amount: 1 }),
    now(null),
  ]).toEqual(['over', 'near', undefined, undefined])
  profile.clock.time = new Date(2026, 11, 1, 12).getTime()
  expect(now({ unit: 'tokens', amount: 1 })).toBeUndefined()
})
