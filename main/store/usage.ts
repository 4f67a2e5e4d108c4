// Usage of models in tokens and dollars, a row a request, by calendar day (YYYY-MM-DD, both ends of a span included). Rows stay when
// their conversation is removed.
import { mostUsageRows, type Usage, type UsagePurpose, type UsageRow, type UsageTotal } from '#app/models/usage.ts'
import type { Database, Row } from './database/database.ts'
import { insert } from './rows.ts'

const SUMS = `count(*) AS requests, coalesce(sum(input), 0) AS input, coalesce(sum(output), 0) AS output,
  coalesce(sum(cache_read), 0) AS cache_read, coalesce(sum(cache_write), 0) AS cache_write,
  coalesce(sum(cost), 0) AS cost, count(*) - count(cost) AS unpriced`
const BETWEEN = 'FROM model_use WHERE day BETWEEN ? AND ?'

interface ModelUse {
  readonly day: string
  readonly model: string
  readonly purpose: UsagePurpose
  readonly conversationId?: string | undefined
  readonly usage: Usage
  /** Undefined: not known. */
  readonly cost?: number | undefined
}

export type UsageStore = ReturnType<typeof createUsageStore>

export function createUsageStore(database: Database) {
  const grouped = (column: 'day' | 'model', from: string, to: string): UsageRow[] =>
    database.all(`SELECT ${column} AS key, ${SUMS} ${BETWEEN} GROUP BY ${column} ORDER BY ${column}`, from, to).map(toRow)
  return {
    add({ day, model, purpose, conversationId, usage, cost }: ModelUse): void {
      const { inputTokens: input, outputTokens: output, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage
      const tokens = { input, output, cache_read: cacheReadTokens, cache_write: cacheWriteTokens }
      insert(database, 'model_use', { day, model, purpose, conversation_id: conversationId ?? '', ...tokens, cost: cost ?? null })
    },
    total: (from: string, to: string): UsageTotal => toTotal(database.get(`SELECT ${SUMS} ${BETWEEN}`, from, to) ?? {}),
    ofConversation: (id: string): UsageTotal => toTotal(database.get(`SELECT ${SUMS} FROM model_use WHERE conversation_id = ?`, id) ?? {}),
    byDay: (from: string, to: string): UsageRow[] => grouped('day', from, to),
    byModel: (from: string, to: string): UsageRow[] => grouped('model', from, to),
    byConversation: (from: string, to: string): UsageRow[] =>
      database
        .all(
          `SELECT conversation_id AS key, (SELECT title FROM conversations WHERE id = conversation_id) AS title, ${SUMS} ${BETWEEN}
           GROUP BY conversation_id ORDER BY sum(cost) DESC, sum(input + output + cache_read + cache_write) DESC LIMIT ${mostUsageRows}`,
          from,
          to,
        )
        .map(toRow),
  }
}

function toTotal(row: Row): UsageTotal {
  const number = (name: string): number => Number(row[name] ?? 0)
  return {
    requests: number('requests'),
    inputTokens: number('input'),
    outputTokens: number('output'),
    cacheReadTokens: number('cache_read'),
    cacheWriteTokens: number('cache_write'),
    cost: number('cost'),
    unpriced: number('unpriced'),
  }
}

const toRow = (row: Row): UsageRow => ({
  key: String(row['key']),
  ...(typeof row['title'] === 'string' ? { title: row['title'] } : {}),
  ...toTotal(row),
})
