// Resources of servers that list very many of them: what does not go with the rest of a catalogue lies in pieces of its own,
// which are written and read one a turn of the loop. A list is written beside the one of before, and takes its place, with the
// rest of the catalogue, only once all of it is there: whatever ends the process, what is found is of one time.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import { type ResourceEntry, resourceEntry } from '#app/server/catalogue.ts'
import type { Log } from '#main/base/log.ts'
import type { Database } from './database.ts'
import { parseText } from './rows.ts'

/** As many go with the catalogue, and as many are in a piece: some milliseconds of work. */
export const inOnePiece = 2000

type Resources = readonly ResourceEntry[]

export interface LongLists {
  /** Resolves with the whole list, which begins with these; undefined: there are no more. */
  read(server: string, first: Resources): Promise<Resources> | undefined
  /** `commit` writes what goes with the catalogue: at once if no piece has to be written before. */
  write(server: string, resources: Resources, commit: () => void): void
  /** Writes now what is not yet written of that server. */
  finish(server: string): void
  rename(from: string, to: string): void
  drop(server: string): void
  close(): void
}

interface Job {
  readonly resources: Resources
  readonly version: number
  commit: () => void
  place: number
}

const piece = z.array(resourceEntry)

export function createLongLists(database: Database, log: Log): LongLists {
  const jobs = new Map<string, Job>()
  /** What lies there, if it is known to. */
  const written = new Map<string, Resources>()
  let closed = false

  const numberOf = (sql: string, server: string): number => Number(database.get(sql, server)?.['number'] ?? 0)
  const current = (server: string): number => numberOf('SELECT resources AS number FROM server_memory WHERE server = ?', server)
  const newest = (server: string): number => numberOf('SELECT max(version) AS number FROM server_resources WHERE server = ?', server)

  function put(server: string, resources: Resources, version: number, commit: () => void): void {
    database.inPassing(() => {
      commit()
      database.run('UPDATE server_memory SET resources = ? WHERE server = ?', version, server)
    })
    written.set(server, resources)
  }

  /** False: it is done. */
  function step(server: string, job: Job): boolean {
    const from = (job.place + 1) * inOnePiece
    if (from < job.resources.length) {
      const body = JSON.stringify(job.resources.slice(from, from + inOnePiece))
      database.run('INSERT INTO server_resources (server, version, place, body) VALUES (?, ?, ?, ?)', server, job.version, job.place, body)
      job.place += 1
      return true
    }
    put(server, job.resources, job.version, job.commit)
    jobs.delete(server)
    return false
  }

  async function carryOut(server: string, job: Job): Promise<void> {
    try {
      while (jobs.get(server) === job && step(server, job)) await nextTurn()
    } catch (error) {
      if (jobs.get(server) === job) jobs.delete(server)
      log.error(`The resources of ${server} could not be kept`, error)
    }
    await tidy(server)
  }

  const removeOne = (server: string): boolean =>
    database.run(
      'DELETE FROM server_resources WHERE id = (SELECT id FROM server_resources WHERE server = ? AND version <> ? LIMIT 1)',
      server,
      current(server),
    ) > 0

  /** Removes what is of another time. */
  async function tidy(server: string): Promise<void> {
    try {
      while (!closed && !jobs.has(server) && removeOne(server)) await nextTurn()
    } catch (error) {
      log.error(`Old resources of ${server} could not be removed`, error)
    }
  }

  function finish(server: string): void {
    const job = jobs.get(server)
    while (job && step(server, job));
  }

  function drop(server: string): void {
    jobs.delete(server)
    written.delete(server)
    database.run('DELETE FROM server_resources WHERE server = ?', server)
  }

  async function readPieces(server: string, version: number, first: Resources): Promise<Resources> {
    const all = [...first]
    try {
      for (let place = 0; ; place += 1) {
        await nextTurn()
        if (closed) return all
        const row = database.get('SELECT body FROM server_resources WHERE server = ? AND version = ? AND place = ?', server, version, place)
        if (!row) break
        all.push(...(parseText(piece, row['body'], `resources of ${server}`, log) ?? []))
      }
      if (!jobs.has(server) && current(server) === version) written.set(server, all)
    } catch (error) {
      log.error(`The resources of ${server} could not be read`, error)
    }
    return all
  }

  return {
    read(server, first) {
      const version = current(server)
      return version === 0 ? undefined : readPieces(server, version, first)
    },
    write(server, resources, commit) {
      const known = jobs.get(server)
      if (known?.resources === resources) {
        known.commit = commit
        return
      }
      jobs.delete(server)
      if (written.get(server) === resources) return commit()
      if (resources.length <= inOnePiece) {
        put(server, resources, 0, commit)
        if (newest(server) > 0) void tidy(server)
        return
      }
      const job: Job = { resources, version: Math.max(current(server), newest(server)) + 1, commit, place: 0 }
      jobs.set(server, job)
      void carryOut(server, job)
    },
    finish,
    rename(from, to) {
      finish(from)
      drop(to)
      database.run('UPDATE server_resources SET server = ? WHERE server = ?', to, from)
      written.delete(from)
    },
    drop,
    close() {
      closed = true
      for (const server of jobs.keys()) {
        try {
          finish(server)
        } catch (error) {
          log.error(`The resources of ${server} could not be kept`, error)
        }
      }
    },
  }
}
