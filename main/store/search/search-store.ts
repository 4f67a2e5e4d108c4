import { conversation } from '#app/chat/conversation.ts'
import { message } from '#app/chat/message.ts'
import type { Log } from '#main/base/host-log.ts'
import type { Database } from '../database/database.ts'
import { parseText } from '../rows.ts'
import type { SearchParams } from './find-messages.ts'
import { createSearchIndex, type SearchIndex } from './search-index.ts'
import { createSearchThread } from './search-thread.ts'

/** Search: an index that follows what is stored, built up for an older profile, and a thread that searches it. */
export function createSearchStore(database: Database, log: Log) {
  const index = createSearchIndex(database)
  const thread = createSearchThread(database.path)
  const build = createSearchBuild(database, index, log)
  /** Never fails for what was typed. `cancelled`: the same searcher asked again before the answer, and only the latest counts. */
  const find = async (searcher: string, params: SearchParams) => ({ ...(await thread.find(searcher, params)), indexed: build.share() })
  return { index, store: { find, build }, close: () => thread.close() }
}

/**
 * Adds the messages of an older profile to the index in steps that the caller spaces out. Each step is a transaction that stores how
 * far it came, so a crash neither repeats nor skips one.
 */
function createSearchBuild(database: Database, index: SearchIndex, log: Log) {
  const state = () => database.get('SELECT title, message, last FROM search_build')
  let done = state() === undefined

  function titles(after: string, until: number): void {
    let last = after
    do {
      const rows = database.all('SELECT id, body FROM conversations WHERE id > ? ORDER BY id LIMIT 20', last)
      for (const row of rows) {
        last = String(row['id'])
        const value = parseText(conversation, row['body'], `conversation ${last}`, log)
        if (value) index.title(value, value.updatedAt)
      }
      if (rows.length === 0) return void database.run('UPDATE search_build SET title = NULL')
    } while (performance.now() < until)
    database.run('UPDATE search_build SET title = ?', last)
  }

  function messages(after: number, end: number, until: number): void {
    let last = after
    do {
      const row = database.get('SELECT place, id, body FROM messages WHERE place > ? AND place <= ? ORDER BY place LIMIT 1', last, end)
      if (!row) {
        database.run('DELETE FROM search_build')
        done = true
        return
      }
      const value = parseText(message, row['body'], `message ${String(row['id'])}`, log)
      if (value) index.message(value)
      last = Number(row['place'])
    } while (performance.now() < until)
    database.run('UPDATE search_build SET message = ?', last)
  }

  return {
    /** Indexed share of the profile, 0 to 1. */
    share(): number {
      if (done) return 1
      const { message: at, last } = state() ?? {}
      return Number(last) > 0 ? Number(at) / Number(last) : 1
    },
    /** Works for about `budgetMs` milliseconds; false: all is done. */
    step(budgetMs: number): boolean {
      const row = done ? undefined : state()
      if (!row) return false
      const until = performance.now() + budgetMs
      database.transaction(() => {
        if (row['title'] !== null) titles(String(row['title']), until)
        else messages(Number(row['message']), Number(row['last']), until)
      })
      return !done
    },
  }
}
