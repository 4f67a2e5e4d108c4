import { defined } from '#app/or-else.ts'
import { type AttemptTarget, type SandboxAttempt, sandboxAttempt } from '#app/server/sandbox/sandbox-report.ts'
import type { Database, Row } from './database/database.ts'
import { upsert } from './rows.ts'

type AttemptKey = AttemptTarget & Pick<SandboxAttempt, 'refused'>

export interface AttemptChanges {
  readonly put: readonly SandboxAttempt[]
  readonly drop: readonly AttemptKey[]
}

const keyOf = (server: string, { kind, target, port = 0, refused }: AttemptKey) => ({ server, kind, target, port, refused: refused ?? '' })

function toAttempt(row: Row): SandboxAttempt | undefined {
  const { kind, target, port, refused, count, first_at: firstAt, last_at: lastAt, tool, call_id: callId } = row
  return sandboxAttempt.safeParse({
    ...{ kind, target, count, firstAt, lastAt },
    ...defined({ port: port || undefined, refused: refused || undefined, tool: tool ?? undefined, callId: callId ?? undefined }),
  }).data
}

/** Attempts of sandboxed servers, by server. The caller bounds the rows; a loss of power may lose the last ones. */
export const createAttemptStore = (database: Database) => ({
  /** Attempts that were last seen after that time, in milliseconds since the epoch, the latest first. Older ones are removed. */
  attempts(server: string, after: number): SandboxAttempt[] {
    database.inPassing(() => database.run('DELETE FROM sandbox_attempts WHERE server = ? AND last_at <= ?', server, after))
    const rows = database.all('SELECT * FROM sandbox_attempts WHERE server = ? ORDER BY last_at DESC, target', server)
    return rows.flatMap((row) => toAttempt(row) ?? [])
  },
  changeAttempts(server: string, { put, drop }: AttemptChanges): void {
    database.inPassing(() => {
      for (const key of drop)
        database.run(
          'DELETE FROM sandbox_attempts WHERE server = ? AND kind = ? AND target = ? AND port = ? AND refused = ?',
          ...Object.values(keyOf(server, key)),
        )
      for (const attempt of put) {
        const { count, firstAt, lastAt, tool, callId } = attempt
        upsert(database, 'sandbox_attempts', keyOf(server, attempt), {
          ...{ count, first_at: firstAt, last_at: lastAt },
          ...{ tool: tool ?? null, call_id: callId ?? null },
        })
      }
    })
  },
  clearAttempts: (server: string): void => void database.run('DELETE FROM sandbox_attempts WHERE server = ?', server),
})
