import { rule } from '#app/consent/rule.ts'
import { catalogue } from '#app/server/catalogue.ts'
import { session } from '#app/server/state.ts'
import type { Log } from '#main/base/log.ts'
import type { Database } from './database.ts'
import { parseRows, parseText } from './rows.ts'
import type { ServerStore } from './types.ts'

export function createServerStore(database: Database, log: Log): ServerStore {
  const remembered = (column: 'catalogue' | 'session', server: string): unknown =>
    database.get(`SELECT ${column} FROM server_memory WHERE server = ?`, server)?.[column] ?? undefined
  const remember = (column: 'catalogue' | 'session', server: string, text: string | null): void =>
    void database.run(
      `INSERT INTO server_memory (server, ${column}) VALUES (?, ?) ON CONFLICT (server) DO UPDATE SET ${column} = excluded.${column}`,
      server,
      text,
    )

  const store: ServerStore = {
    catalogue(server) {
      const text = remembered('catalogue', server)
      return text === undefined ? undefined : parseText(catalogue, text, `catalogue of ${server}`, log)
    },
    putCatalogue: (server, value) => remember('catalogue', server, JSON.stringify(value)),
    session(server) {
      const text = remembered('session', server)
      return text === undefined ? undefined : parseText(session, text, `session of ${server}`, log)
    },
    putSession: (server, value) => remember('session', server, value === undefined ? null : JSON.stringify(value)),
    disabledTools: (server) =>
      new Set(database.all('SELECT tool FROM disabled_tools WHERE server = ?', server).map((row) => String(row['tool']))),
    setToolEnabled(server, tool, enabled) {
      if (enabled) database.run('DELETE FROM disabled_tools WHERE server = ? AND tool = ?', server, tool)
      else database.run('INSERT INTO disabled_tools (server, tool) VALUES (?, ?) ON CONFLICT DO NOTHING', server, tool)
    },
    rename(from, to) {
      if (from === to) return
      database.transaction(() => {
        store.forget(to)
        database.run('DELETE FROM launches WHERE server = ?', to)
        for (const table of ['server_memory', 'disabled_tools', 'launches'])
          database.run(`UPDATE ${table} SET server = ? WHERE server = ?`, to, from)
        // What the person allowed and refused goes with the name: a refusal must not be lost by renaming.
        for (const value of parseRows(rule, database.all('SELECT id, body FROM rules WHERE server = ?', from), 'rule', log))
          database.run('UPDATE rules SET server = ?, body = ? WHERE id = ?', to, JSON.stringify({ ...value, server: to }), value.id)
      })
    },
    forget(server) {
      database.transaction(() => {
        database.run('DELETE FROM server_memory WHERE server = ?', server)
        database.run('DELETE FROM disabled_tools WHERE server = ?', server)
      })
    },
  }
  return store
}
