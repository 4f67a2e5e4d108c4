import { describe, expect, it } from 'vitest'
import { budgetUsageOf, costOf, dayOf, type UsageTotal } from './usage.ts'

const usage = { inputTokens: 1_000_000, outputTokens: 100_000, cacheReadTokens: 2_000_000, cacheWriteTokens: 500_000 }

describe('the cost of an answer', () => {
  it.each([
    ['is what the provider said', { ...usage, cost: 0.42 }, { input: 3, output: 15 }, 0.42],
    ['also when that is nothing', { ...usage, cost: 0 }, { input: 3, output: 15 }, 0],
    ['is each kind of token by its price', usage, { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 }, 3 + 1.5 + 0.6 + 1.875],
    ['takes the cache for reading where it has no price', usage, { input: 3, output: 15 }, 3 + 1.5 + 6 + 1.5],
    ['is not known without a price', usage, undefined, undefined],
  ] as const)('%s', (_, used, price, expected) => {
    if (expected === undefined) expect(costOf(used, price)).toBeUndefined()
    else expect(costOf(used, price)).toBeCloseTo(expected, 9)
  })
})

const total = (cost: number, tokens: number): UsageTotal => ({
  requests: 1,
  inputTokens: tokens,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  cost,
  unpriced: 0,
})

describe('a budget', () => {
  it.each([
    ['says nothing below four fifths', 7.99, undefined],
    ['is near its end from there', 8, 'near'],
    ['is used up at its end', 10, 'over'],
  ])('%s', (_, cost, level) => {
    expect(budgetUsageOf({ unit: 'dollars', amount: 10 }, total(cost, 5))?.level).toBe(level)
  })

  it('in tokens counts tokens, and none says nothing', () => {
    expect(budgetUsageOf({ unit: 'tokens', amount: 10 }, total(0, 12))).toEqual({
      budget: { unit: 'tokens', amount: 10 },
      used: 12,
      level: 'over',
    })
    expect(budgetUsageOf(null, total(99, 99))).toBeUndefined()
  })
})

it('a day is one of the calendar on the wall', () => {
  expect(dayOf(new Date(2026, 0, 3, 23, 59).getTime())).toBe('2026-01-03')
})
