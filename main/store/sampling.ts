// What servers may have of the person's model, and what they had today. Of days that are over nothing is kept.
import { defaultSamplingBudget, samplingBudget } from '#app/consent/sampling-terms.ts'
import type { Log } from '#main/base/log.ts'
import type { Database } from './database.ts'
import { parseText } from './rows.ts'
import type { SamplingStore } from './types.ts'

export function createSamplingStore(database: Database, log: Log): SamplingStore {
  return {
    budget(server) {
      const row = database.get('SELECT body FROM sampling_budgets WHERE server = ?', server)
      return (row && parseText(samplingBudget, row['body'], `sampling budget of ${server}`, log)) ?? defaultSamplingBudget
    },
    putBudget(server, budget) {
      database.run(
        'INSERT INTO sampling_budgets (server, body) VALUES (?, ?) ON CONFLICT (server) DO UPDATE SET body = excluded.body',
        server,
        JSON.stringify(budget),
      )
    },
    used: (server, day) =>
      Number(database.get('SELECT tokens FROM sampling_use WHERE server = ? AND day = ?', server, day)?.['tokens'] ?? 0),
    addUse(server, day, tokens) {
      database.transaction(() => {
        database.run('DELETE FROM sampling_use WHERE day < ?', day)
        database.run(
          'INSERT INTO sampling_use (server, day, tokens) VALUES (?, ?, ?) ON CONFLICT (server, day) DO UPDATE SET tokens = max(0, tokens + excluded.tokens)',
          server,
          day,
          tokens,
        )
      })
    },
  }
}
