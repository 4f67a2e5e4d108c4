// Usage and cost of models: tokens as the providers count them, dollars as they report or by a price: the
// person's, the endpoint's, or the dated catalogue's.
import { z } from 'zod'

const dollars = z.number().min(0).max(1_000_000)

const rates = z.object({ input: dollars, output: dollars, cacheRead: dollars.optional(), cacheWrite: dollars.optional() })
/**
 * Price in US dollars for a million tokens. Absent cache prices: as input. `above`: prices of requests with more than `tokens` of input,
 * the least first.
 */
export const price = rates.extend({
  above: z
    .array(rates.extend({ tokens: z.number().int() }))
    .max(10)
    .optional(),
})
export type Price = z.infer<typeof price>

/** Prices set by the person, by model id; they win over the provider's list. */
export const prices = z.record(z.string().max(300), price)
export type Prices = z.infer<typeof prices>

/** Budget for a calendar month. Beyond it the person is told; nothing stops. */
export const monthBudget = z.object({ unit: z.enum(['dollars', 'tokens']), amount: z.number().positive().max(1_000_000_000_000) })
export type MonthBudget = z.infer<typeof monthBudget>

/** Usage of requests. `cost`: US dollars where known; `unpriced`: number of requests without a known cost. */
export const usageTotal = z.object({
  requests: z.number().int(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadTokens: z.number(),
  cacheWriteTokens: z.number(),
  cost: z.number(),
  unpriced: z.number().int(),
})
export type UsageTotal = z.infer<typeof usageTotal>

/** `key`: the day (YYYY-MM-DD), the model's id or the conversation's. */
const usageRow = usageTotal.extend({ key: z.string(), title: z.string().optional() })
export type UsageRow = z.infer<typeof usageRow>

export const usageReport = z.object({
  total: usageTotal,
  days: z.array(usageRow),
  models: z.array(usageRow),
  /** Conversations, highest cost first, at most `mostUsageRows`; '': requests of none. */
  conversations: z.array(usageRow),
})
export type UsageReport = z.infer<typeof usageReport>
export const mostUsageRows = 200

/** Purpose of a request: an answer, a title, a summary or sampling. */
const usagePurpose = z.enum(['answer', 'title', 'summary', 'sampling'])
export type UsagePurpose = z.infer<typeof usagePurpose>

export const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/)

/** Day of a time in local time. */
export function dayOf(time: number): string {
  const at = new Date(time)
  return `${at.getFullYear()}-${String(at.getMonth() + 1).padStart(2, '0')}-${String(at.getDate()).padStart(2, '0')}`
}

/** Cost in US dollars; the provider's figure wins over a price. Undefined: unknown. */
export function costOf(usage: Usage, price: Price | undefined): number | undefined {
  if (usage.cost !== undefined) return usage.cost
  if (!price) return undefined
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage
  const size = inputTokens + cacheReadTokens + cacheWriteTokens
  const { input, output, cacheRead = input, cacheWrite = input } = price.above?.findLast(({ tokens }) => size > tokens) ?? price
  return (inputTokens * input + outputTokens * output + cacheReadTokens * cacheRead + cacheWriteTokens * cacheWrite) / 1_000_000
}

export const totalTokensOf = (total: Pick<UsageTotal, 'inputTokens' | 'outputTokens' | 'cacheReadTokens' | 'cacheWriteTokens'>): number =>
  total.inputTokens + total.outputTokens + total.cacheReadTokens + total.cacheWriteTokens

export const budgetUsage = z.object({ budget: monthBudget, used: z.number(), level: z.enum(['near', 'over']) })
export type BudgetUsage = z.infer<typeof budgetUsage>

/** The share of a budget at which the person is told. */
const NEAR = 0.8

/** Usage of a budget that the person should know of; undefined: too little of it is used. */
export function budgetUsageOf(budget: MonthBudget | null, total: UsageTotal): BudgetUsage | undefined {
  if (!budget) return undefined
  const used = budget.unit === 'dollars' ? total.cost : totalTokensOf(total)
  if (used < budget.amount * NEAR) return undefined
  return { budget, used, level: used < budget.amount ? 'near' : 'over' }
}

export const usage = z.object({
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
  cacheReadTokens: z.number().int().optional(),
  cacheWriteTokens: z.number().int().optional(),
  /** Cost in US dollars: as reported, or by the price at the time. Absent: unknown. */
  cost: z.number().min(0).optional(),
})

export type Usage = z.infer<typeof usage>
