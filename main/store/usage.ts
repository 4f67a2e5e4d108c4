// Usage of models, a row a request. Rows stay when their conversation is removed.
import { mostUsageRows, type UsageRow, type UsageTotal } from '#app/models/usage.ts'
import type { Database, Row } from './database/database.ts'
import { insert } from './rows.ts'
import type { UsageStore } from './store-api.ts'

const SUMS = `count(*) AS requests, coalesce(sum(input), 0) AS input, coalesce(sum(output), 0) AS output,
  coalesce(sum(cache_read), 0) AS cache_read, coalesce(sum(cache_write), 0) AS cache_write,
  coalesce(sum(cost), 0) AS cost, count(*) - count(cost) AS unpriced`
const BETWEEN = 'FROM model_use WHERE day BETWEEN ? AND ?'

export function createUsageStore(database: Database): UsageStore {
  const grouped = (column: 'day' | 'model', from: string, to: string): UsageRow[] =>
    database.all(`SELECT ${column} AS key, ${SUMS} ${BETWEEN} GROUP BY ${column} ORDER BY ${column}`, from, to).map(toRow)
  return {
    add({ day, model, purpose, conversationId, usage, cost }) {
      const { inputTokens: input, outputTokens: output, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage
      const about = { day, model, purpose, conversation_id: conversationId ?? '' }
      insert(database, 'model_use', {
        ...about,
        input,
        output,
        cache_read: cacheReadTokens,
        cache_write: cacheWriteTokens,
        cost: cost ?? null,
      })
    },
    total: (from, to) => toTotal(database.get(`SELECT ${SUMS} ${BETWEEN}`, from, to) ?? {}),
    ofConversation: (id) => toTotal(database.get(`SELECT ${SUMS} FROM model_use WHERE conversation_id = ?`, id) ?? {}),
    byDay: (from, to) => grouped('day', from, to),
    byModel: (from, to) => grouped('model', from, to),
    byConversation: (from, to) =>
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
