import { z } from 'zod'
import { rule } from '#app/consent/rules/rule.ts'
import { defined } from '#app/or-else.ts'
import { type Catalogue, catalogue, type ResourceEntry } from '#app/server/catalogue.ts'
import { type AttemptTarget, type SandboxAttempt, sandboxAttempt } from '#app/server/sandbox/sandbox-report.ts'
import { type LogLevel, logLevel, type Session, session } from '#app/server/server-state.ts'
import { folderPaths } from '#app/shared-folders.ts'
import type { Log } from '#main/base/host-log.ts'
import type { ChunkedLists } from './chunked-lists.ts'
import type { Database, Row } from './database/database.ts'
import { parseRows, parseText, texts, upsert } from './rows.ts'

/** Tables of the person's choices: a rename moves them, and they stay when the memory of a server is dropped. */
const choiceTables = ['launches', 'server_choices', 'definitions', 'sampling_budgets', 'sampling_spent', 'told_folders', 'trusted_servers']

/** Tasks of one server that are remembered. */
const mostTasks = 100

export type ServerStore = ReturnType<typeof createServerStore>

/** Memory of servers between runs, so that their tools are known before they start, and the person's choices for them. */
export function createServerStore(database: Database, log: Log, longLists: ChunkedLists, onRenamed: (from: string, to: string) => void) {
  const store = {
    ...serverMemory(database, log, longLists),
    ...serverChoices(database, log),
    ...createAttemptStore(database),
    /** Moves everything to a new name. Approvals under the new name end; refusals stay. */
    rename(from: string, to: string): void {
      if (from === to) return
      database.transaction(() => {
        store.forget(to)
        longLists.rename(from, to)
        for (const table of choiceTables) database.run(`DELETE FROM ${table} WHERE server = ?`, to)
        for (const table of ['server_memory', 'disabled_tools', 'sandbox_attempts', ...choiceTables])
          database.run(`UPDATE ${table} SET server = ? WHERE server = ?`, to, from)
        for (const value of parseRows(rule, database.all('SELECT id, body FROM rules'), 'rule', log)) {
          const { server, flow, effect, id } = value
          const source = flow?.kind === 'server' ? flow.server : undefined
          // Approvals of another server with the new name must not answer for this one.
          if (effect === 'allow' && [server, source].includes(to)) database.run('DELETE FROM rules WHERE id = ?', id)
          // Rules move with the name: a refusal must not be lost by renaming, and what gets the old name has none of them.
          else if ([server, source].includes(from)) {
            const moved = {
              ...value,
              ...(server === from && { server: to }),
              ...(source === from && flow && { flow: { ...flow, server: to } }),
            }
            database.run('UPDATE rules SET server = ?, body = ? WHERE id = ?', moved.server ?? '', JSON.stringify(moved), id)
          }
        }
        onRenamed(from, to)
      })
    },
    forget(server: string): void {
      database.transaction(() => {
        longLists.drop(server)
        database.run('DELETE FROM server_memory WHERE server = ?', server)
        database.run('DELETE FROM disabled_tools WHERE server = ?', server)
        store.clearAttempts(server)
      })
    },
  }
  return store
}

/** A task that stands for the result of a call. It outlives the host: the server keeps it by its id. */
const pendingTask = z.object({
  callId: z.string(),
  /** Where the call stands; absent: it is a run by hand. */
  conversationId: z.string().optional(),
  messageId: z.string().optional(),
  tool: z.string(),
  taskId: z.string(),
  /** Time of its making in milliseconds since the epoch. */
  at: z.number(),
  /** Milliseconds from its making; absent: without end, or unsaid. */
  ttlMs: z.number().optional(),
})
export type PendingTask = z.infer<typeof pendingTask>
const pendingTasks = z.array(pendingTask)

function serverMemory(database: Database, log: Log, longLists: ChunkedLists) {
  const remembered = (column: 'catalogue' | 'session' | 'tasks', server: string): unknown =>
    database.get(`SELECT ${column} FROM server_memory WHERE server = ?`, server)?.[column] ?? undefined
  const remember = (column: 'catalogue' | 'session' | 'tasks', server: string, text: string | null): void =>
    void database.inPassing(() => upsert(database, 'server_memory', { server }, { [column]: text }))
  const tasksOf = (server: string): PendingTask[] => {
    const text = remembered('tasks', server)
    return (text === undefined ? undefined : parseText(pendingTasks, text, `tasks of ${server}`, log)) ?? []
  }
  const putTasks = (server: string, tasks: readonly PendingTask[]): void =>
    remember('tasks', server, tasks.length === 0 ? null : JSON.stringify(tasks.slice(-mostTasks)))

  return {
    catalogue(server: string): Catalogue | undefined {
      const text = remembered('catalogue', server)
      const rest = text === undefined ? undefined : parseText(catalogue, text, `catalogue of ${server}`, log)
      return rest && { ...rest, tools: [...rest.tools, ...longLists.tools(server)] }
    },
    /** Resolves with all resources of that catalogue; undefined: it has them all. */
    restOfResources: (server: string, { resources }: Catalogue): Promise<readonly ResourceEntry[]> | undefined =>
      longLists.read(server, resources),
    /** Stores a catalogue; very long lists are written after it returned. The same list is not written again. */
    putCatalogue: (server: string, value: Catalogue): void =>
      longLists.write(server, value, (rest) => remember('catalogue', server, JSON.stringify(rest))),
    session(server: string): Session | undefined {
      const text = remembered('session', server)
      return text === undefined ? undefined : parseText(session, text, `session of ${server}`, log)
    },
    putSession: (server: string, value: Session | undefined): void =>
      remember('session', server, value === undefined ? null : JSON.stringify(value)),
    /** Tasks that have not ended, by server. */
    tasks: (): ReadonlyMap<string, readonly PendingTask[]> =>
      new Map(
        texts(database.all('SELECT server FROM server_memory WHERE tasks IS NOT NULL'), 'server').map((server) => [
          server,
          tasksOf(server),
        ]),
      ),
    putTask: (server: string, task: PendingTask): void => putTasks(server, [...tasksOf(server), task]),
    dropTask(server: string, callId: string): void {
      const tasks = tasksOf(server)
      const left = tasks.filter((task) => task.callId !== callId)
      if (left.length < tasks.length) putTasks(server, left)
    },
    /** Drops catalogue, session and tasks if they came from another launch. `launch`: its fingerprint. */
    bindMemory(server: string, launch: string): void {
      const row = database.get('SELECT launch FROM server_memory WHERE server = ?', server)
      if (row?.['launch'] === launch) return
      const isAnother = row !== undefined && row['launch'] !== null
      database.transaction(() => {
        if (isAnother) longLists.drop(server)
        upsert(
          database,
          'server_memory',
          { server },
          { launch, ...(isAnother ? { catalogue: null, session: null, tasks: null, resources: null } : {}) },
        )
      })
    },
  }
}

function serverChoices(database: Database, log: Log) {
  return {
    disabledTools: (server: string): ReadonlySet<string> =>
      new Set(texts(database.all('SELECT tool FROM disabled_tools WHERE server = ?', server), 'tool')),
    setToolEnabled(server: string, tool: string, enabled: boolean): void {
      if (enabled) database.run('DELETE FROM disabled_tools WHERE server = ? AND tool = ?', server, tool)
      else upsert(database, 'disabled_tools', { server, tool })
    },
    logLevel(server: string): LogLevel | undefined {
      const level = database.get('SELECT log_level FROM server_choices WHERE server = ?', server)?.['log_level']
      return logLevel.safeParse(level).data
    },
    putLogLevel: (server: string, level: LogLevel): void => void upsert(database, 'server_choices', { server }, { log_level: level }),
    /** Launches that the person trusts, by server. */
    trusted: (): ReadonlyMap<string, string> =>
      new Map(database.all('SELECT server, launch FROM trusted_servers').map((row) => [String(row['server']), String(row['launch'])])),
    putTrust(server: string, launch: string | undefined): void {
      if (launch === undefined) database.run('DELETE FROM trusted_servers WHERE server = ?', server)
      else upsert(database, 'trusted_servers', { server }, { launch })
    },
    folders(server: string): string[] {
      const text = database.get('SELECT folders FROM server_choices WHERE server = ?', server)?.['folders'] ?? undefined
      return (text === undefined ? undefined : parseText(folderPaths, text, `folders of ${server}`, log)) ?? []
    },
    putFolders: (server: string, paths: readonly string[]): void =>
      void upsert(database, 'server_choices', { server }, { folders: JSON.stringify(paths) }),
  }
}

type AttemptKey = AttemptTarget & Pick<SandboxAttempt, 'refused'>

interface AttemptChanges {
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
const createAttemptStore = (database: Database) => ({
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
