import { isCallEnded } from '#app/chat/next-call-state.ts'
import { type ManualRun, manualRun, mostRunBytes, mostRuns } from '#app/chat/tools/manual-run.ts'
import type { Log } from '#main/base/host-log.ts'
import type { Database } from './database/database.ts'
import { blobNames, dropBlobs } from './purge.ts'
import { parseRows, texts, upsert } from './rows.ts'

/** Lists have no results: only their state. */
const WITHOUT_RESULT =
  "json_remove(json_set(body, '$.state.result.content', json('[]')), '$.state.result.structuredContent', '$.state.result.more', '$.state.late')"
const LISTED = `SELECT id, CASE WHEN json_extract(body, '$.state.result') IS NULL THEN json_remove(body, '$.state.late') ELSE ${WITHOUT_RESULT} END AS body FROM hand_runs`

interface RunFilter {
  readonly server?: string | undefined
  readonly tool?: string | undefined
  /** Only runs older than this one. */
  readonly before?: { readonly at: number; readonly id: string } | undefined
  readonly limit: number
}

/** Manual tool runs, newest first; the oldest are dropped when there are too many. */
export function createManualRunStore(database: Database, log: Log) {
  const parse = (rows: ReturnType<Database['all']>): ManualRun[] => parseRows(manualRun, rows, 'run by hand', log)

  /** Drops the oldest runs that have ended, once there are too many or they take too much room. */
  function prune(): void {
    remove(
      database.all(
        `SELECT id, body FROM (
           SELECT id, body, ended, row_number() OVER newest AS place, sum(length(body)) OVER newest AS bytes
           FROM hand_runs WINDOW newest AS (ORDER BY at DESC, id DESC)
         ) WHERE ended = 1 AND place > 1 AND (place > ? OR bytes > ?)`,
        mostRuns,
        mostRunBytes,
      ),
    )
  }

  function remove(rows: ReturnType<Database['all']>): void {
    const names = new Set(rows.flatMap((row) => [...blobNames(row['body'])]))
    for (const id of texts(rows)) database.run('DELETE FROM hand_runs WHERE id = ?', id)
    dropBlobs(database, names)
  }

  return {
    put(run: ManualRun): void {
      database.transaction(() => {
        const { id, at, server, tool } = run
        upsert(database, 'hand_runs', { id }, { at, server, tool, ended: isCallEnded(run.state) ? 1 : 0, body: JSON.stringify(run) })
        prune()
      })
    },
    get: (id: string): ManualRun | undefined => parse(database.all('SELECT id, body FROM hand_runs WHERE id = ?', id))[0],
    list: ({ server, tool, before, limit }: RunFilter): ManualRun[] =>
      parse(
        database.all(
          `${LISTED} WHERE json_valid(body) AND (?1 IS NULL OR server = ?1) AND (?2 IS NULL OR tool = ?2)
             AND (?3 IS NULL OR (at, id) < (?3, ?4)) ORDER BY at DESC, id DESC LIMIT ?5`,
          server ?? null,
          tool ?? null,
          before?.at ?? null,
          before?.id ?? '',
          limit,
        ),
      ),
    /** Lists runs that a crash or the end of Assent cut off. */
    unfinished: (): ManualRun[] => parse(database.all('SELECT id, body FROM hand_runs WHERE ended = 0')),
    /** Removes all runs, or those of one tool, but for `except`, with blobs that nothing else shows. Returns how many were removed. */
    forget(of: { readonly server: string; readonly tool: string } | undefined, except: readonly string[]): number {
      return database.transaction(() => {
        const rows = database.all(
          'SELECT id, body FROM hand_runs WHERE (?1 IS NULL OR server = ?1) AND (?2 IS NULL OR tool = ?2) AND id NOT IN (SELECT value FROM json_each(?3))',
          of?.server ?? null,
          of?.tool ?? null,
          JSON.stringify(except),
        )
        remove(rows)
        return rows.length
      })
    },
  }
}
