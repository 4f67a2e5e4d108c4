// Brings the messages of an older profile into the index, in steps that the caller spaces out: each is one transaction
// that says how far it came, so that a crash repeats nothing and leaves nothing out.
import { type Conversation, conversation } from '#app/chat/conversation.ts'
import { type Message, message } from '#app/chat/message.ts'
import type { Log } from '#main/base/log.ts'
import type { Database } from '../database.ts'
import { parseText } from '../rows.ts'
import type { SearchIndex } from './index.ts'

export interface SearchBuild {
  /** How much of it can be found, 0 to 1. */
  share(): number
  /** False: all is done. `budgetMs`: it ends soon after that. */
  step(budgetMs: number): boolean
}

export function createSearchBuild(database: Database, index: SearchIndex, log: Log): SearchBuild {
  const state = () => database.get('SELECT title, message, last FROM search_build')
  let done = state() === undefined

  function titles(after: string, until: number): void {
    let last = after
    do {
      const rows = database.all('SELECT id, body FROM conversations WHERE id > ? ORDER BY id LIMIT 20', last)
      for (const row of rows) {
        const value: Conversation | undefined = parseText(conversation, row['body'], `conversation ${String(row['id'])}`, log)
        if (value) index.title(value, value.updatedAt)
        last = String(row['id'])
      }
      if (rows.length === 0) {
        database.run('UPDATE search_build SET title = NULL')
        return
      }
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
      const value: Message | undefined = parseText(message, row['body'], `message ${String(row['id'])}`, log)
      if (value) index.message(value)
      last = Number(row['place'])
    } while (performance.now() < until)
    database.run('UPDATE search_build SET message = ?', last)
  }

  return {
    share() {
      if (done) return 1
      const { message: at, last } = state() ?? {}
      return Number(last) > 0 ? Number(at) / Number(last) : 1
    },
    step(budgetMs) {
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
