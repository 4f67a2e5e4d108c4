// What models were asked for and what it cost: tokens as the providers count them, dollars as they say, or by a price.
// No list of prices is built in: providers change theirs, and a figure that is wrong is worse than none.
import { z } from 'zod'

const dollars = z.number().min(0).max(1_000_000)

/** US dollars for a million tokens. Absent: tokens read from or written to the cache cost what others that are read do. */
export const price = z.object({ input: dollars, output: dollars, cacheRead: dollars.optional(), cacheWrite: dollars.optional() })
export type Price = z.infer<typeof price>

/** By model id, as the person wrote them; they go before what the provider's list says. */
export const prices = z.record(z.string().max(300), price)
export type Prices = z.infer<typeof prices>

/** For a calendar month. Past it nothing stops: the person is told. */
export const monthBudget = z.object({ unit: z.enum(['dollars', 'tokens']), amount: z.number().positive().max(1_000_000_000_000) })
export type MonthBudget = z.infer<typeof monthBudget>

/** What requests came to. `cost`: dollars, of those whose cost is known; `unpriced`: how many it is not known of. */
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
  /** The dearest first, at most `mostUsageRows`; '' stands for what belongs to none. */
  conversations: z.array(usageRow),
})
export type UsageReport = z.infer<typeof usageReport>
export const mostUsageRows = 200

/** What it was asked for: an answer, a chat's title, a summary, a server's sampling. */
const usagePurpose = z.enum(['answer', 'title', 'summary', 'sampling'])
export type UsagePurpose = z.infer<typeof usagePurpose>

export const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/)

/** Of the person's calendar. */
export function dayOf(time: number): string {
  const at = new Date(time)
  return `${at.getFullYear()}-${String(at.getMonth() + 1).padStart(2, '0')}-${String(at.getDate()).padStart(2, '0')}`
}

/** Dollars; what the provider itself said goes before any price. Undefined: not known. */
export function costOf(usage: Usage, price: Price | undefined): number | undefined {
  if (usage.cost !== undefined) return usage.cost
  if (!price) return undefined
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage
  const { input, output, cacheRead = input, cacheWrite = input } = price
  return (inputTokens * input + outputTokens * output + cacheReadTokens * cacheRead + cacheWriteTokens * cacheWrite) / 1_000_000
}

export const totalTokensOf = (total: Pick<UsageTotal, 'inputTokens' | 'outputTokens' | 'cacheReadTokens' | 'cacheWriteTokens'>): number =>
  total.inputTokens + total.outputTokens + total.cacheReadTokens + total.cacheWriteTokens

export const budgetUsage = z.object({ budget: monthBudget, used: z.number(), level: z.enum(['near', 'over']) })
export type BudgetUsage = z.infer<typeof budgetUsage>

/** The share of a budget at which the person is told. */
const NEAR = 0.8

/** Undefined: nothing is to be said. */
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
  /** US dollars: as the provider said, or by the price that was known then. Absent: not known. */
  cost: z.number().min(0).optional(),
})

export type Usage = z.infer<typeof usage>
