// Tools and resources of servers that list very many of them: what does not go with the rest of a catalogue lies in pieces of
// its own, which are written one a turn of the loop. A list is written beside the one of before, and takes its place, with the
// rest of the catalogue, only once all of it is there: whatever ends the process, what is found is of one time. Resources are
// read one piece a turn as well; tools with the catalogue, for a model is told of all of them.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import { type Catalogue, type ResourceEntry, resourceEntry, type ToolEntry, toolEntry } from '#app/server/catalogue.ts'
import type { Log } from '#main/base/host-log.ts'
import type { Database } from './database/database.ts'
import { parseText } from './rows.ts'

/** As many go with the catalogue, and as many are in a piece: some milliseconds of work. */
export const inOnePiece = 2000

/** Tools go with the catalogue up to so many, and so many tokens together. */
const fewTools = { count: 100, tokens: 50_000 }
/** UTF-16 units of JSON text, of tools: a single one may be as long. */
const toolsPiece = 256 * 1024

type Resources = readonly ResourceEntry[]
type Tools = readonly ToolEntry[]
const none: Tools = []

const inPieces = ({ tools }: Pick<Catalogue, 'tools'>): Tools =>
  tools.length > fewTools.count || tools.reduce((sum, { tokens }) => sum + tokens, 0) > fewTools.tokens ? tools : none

export interface ChunkedLists {
  /** Resolves with the whole list, which begins with these; undefined: there are no more. */
  read(server: string, first: Resources): Promise<Resources> | undefined
  /** The tools that do not go with the catalogue. */
  tools(server: string): ToolEntry[]
  /** `commit` writes what is left of it, which is short: at once if no piece has to be written before. */
  write(server: string, catalogue: Catalogue, commit: (rest: Catalogue) => void): void
  /** Writes now what is not yet written of that server. */
  finish(server: string): void
  rename(from: string, to: string): void
  drop(server: string): void
  close(): void
}

interface Lists {
  readonly resources: Resources
  /** In pieces; none: all of them go with the catalogue. */
  readonly tools: Tools
}
interface Job extends Lists {
  readonly version: number
  commit: () => void
  place: number
  /** How many tools are written, and in how many pieces: these have the places below 0. */
  toolsDone: number
  toolPieces: number
}
const alike = (one: Lists | undefined, { resources, tools }: Lists): boolean => one?.resources === resources && one.tools === tools

const piece = z.array(resourceEntry)
const pieceOfTools = z.array(toolEntry)

/** The pieces of one database: each belongs to a server, a version of its lists, and a place in it; tools have those below 0. */
interface Pieces {
  /** The version that is in force; 0: there are no pieces. */
  current(server: string): number
  newest(server: string): number
  has(server: string, version: number, place: number): boolean
  /** JSON text. */
  body(server: string, version: number, place: number): unknown
  toolBodies(server: string): unknown[]
  insert(server: string, version: number, place: number, body: string): void
  /** Puts a version in force together with what `commit` writes. */
  commit(server: string, version: number, commit: () => void): void
  /** Removes a piece of another version. False: there is none. */
  removeOld(server: string): boolean
  rename(from: string, to: string): void
  drop(server: string): void
}

function createPieces(database: Database): Pieces {
  const numberOf = (sql: string, server: string): number => Number(database.get(sql, server)?.['number'] ?? 0)
  const current = (server: string): number => numberOf('SELECT resources AS number FROM server_memory WHERE server = ?', server)
  return {
    current,
    newest: (server) => numberOf('SELECT max(version) AS number FROM server_resources WHERE server = ?', server),
    has: (server, version, place) =>
      database.get('SELECT 1 FROM server_resources WHERE server = ? AND version = ? AND place = ?', server, version, place) !== undefined,
    body: (server, version, place) =>
      database.get('SELECT body FROM server_resources WHERE server = ? AND version = ? AND place = ?', server, version, place)?.['body'],
    toolBodies: (server) =>
      database
        .all(
          'SELECT body FROM server_resources WHERE server = ? AND version = ? AND place < 0 ORDER BY place DESC',
          server,
          current(server),
        )
        .map((row) => row['body']),
    insert(server, version, place, body) {
      database.run('INSERT INTO server_resources (server, version, place, body) VALUES (?, ?, ?, ?)', server, version, place, body)
    },
    commit: (server, version, commit) =>
      database.inPassing(() => {
        commit()
        database.run('UPDATE server_memory SET resources = ? WHERE server = ?', version, server)
      }),
    removeOld: (server) =>
      database.run(
        'DELETE FROM server_resources WHERE id = (SELECT id FROM server_resources WHERE server = ? AND version <> ? LIMIT 1)',
        server,
        current(server),
      ) > 0,
    rename(from, to) {
      database.run('UPDATE server_resources SET server = ? WHERE server = ?', to, from)
    },
    drop(server) {
      database.run('DELETE FROM server_resources WHERE server = ?', server)
    },
  }
}

const newJob = (pieces: Pieces, server: string, lists: Lists, commit: () => void): Job => ({
  ...lists,
  version: Math.max(pieces.current(server), pieces.newest(server)) + 1,
  commit,
  place: 0,
  toolsDone: 0,
  toolPieces: 0,
})

/** The part of a catalogue that goes with it, not in pieces. */
const withoutPieces = (catalogue: Catalogue, lists: Lists): Catalogue => ({
  ...catalogue,
  tools: lists.tools === none ? catalogue.tools : [],
  resources: catalogue.resources.slice(0, inOnePiece),
})

function insertTools(pieces: Pieces, server: string, job: Job): void {
  const texts: string[] = []
  for (let length = 0; length < toolsPiece && job.toolsDone < job.tools.length; job.toolsDone += 1) {
    const text = JSON.stringify(job.tools[job.toolsDone])
    length += text.length
    texts.push(text)
  }
  job.toolPieces += 1
  pieces.insert(server, job.version, -job.toolPieces, `[${texts.join(',')}]`)
}

/** Writes the next piece of a job. False: there was none left. */
function insertNext(pieces: Pieces, server: string, job: Job): boolean {
  if (job.toolsDone < job.tools.length) {
    insertTools(pieces, server, job)
    return true
  }
  const from = (job.place + 1) * inOnePiece
  if (from >= job.resources.length) return false
  const body = JSON.stringify(job.resources.slice(from, from + inOnePiece))
  pieces.insert(server, job.version, job.place, body)
  job.place += 1
  return true
}

/** Removes pieces of another version, one a turn, while `mayGoOn`. Never rejects. */
async function removeOldPieces(pieces: Pieces, server: string, mayGoOn: () => boolean, log: Log): Promise<void> {
  try {
    while (mayGoOn() && pieces.removeOld(server)) await nextTurn()
  } catch (error) {
    log.error(`Old resources of ${server} could not be removed`, error)
  }
}

/** Adds the resources in pieces, one piece a turn. False: the database was closed before the last. */
async function readPieces(
  pieces: Pieces,
  { server, version, into }: { readonly server: string; readonly version: number; readonly into: ResourceEntry[] },
  isClosed: () => boolean,
  log: Log,
): Promise<boolean> {
  for (let place = 0; ; place += 1) {
    await nextTurn()
    if (isClosed()) return false
    const body = pieces.body(server, version, place)
    if (body === undefined) return true
    into.push(...(parseText(piece, body, `resources of ${server}`, log) ?? []))
  }
}

export function createChunkedLists(database: Database, log: Log): ChunkedLists {
  const pieces = createPieces(database)
  const jobs = new Map<string, Job>()
  /** What lies there, if it is known to. */
  const written = new Map<string, Lists>()
  let closed = false
  const tidy = (server: string): Promise<void> => removeOldPieces(pieces, server, () => !closed && !jobs.has(server), log)

  function put(server: string, { resources, tools }: Lists, version: number, commit: () => void): void {
    pieces.commit(server, version, commit)
    written.set(server, { resources, tools })
  }

  /** False: it is done. */
  function step(server: string, job: Job): boolean {
    if (insertNext(pieces, server, job)) return true
    put(server, job, job.version, job.commit)
    jobs.delete(server)
    return false
  }

  async function carryOut(server: string, job: Job): Promise<void> {
    try {
      while (jobs.get(server) === job && step(server, job)) await nextTurn()
    } catch (error) {
      if (jobs.get(server) === job) jobs.delete(server)
      log.error(`The lists of ${server} could not be kept`, error)
    }
    await tidy(server)
  }

  function finish(server: string): void {
    const job = jobs.get(server)
    while (job && step(server, job));
  }

  function drop(server: string): void {
    jobs.delete(server)
    written.delete(server)
    pieces.drop(server)
  }

  async function readRest(server: string, version: number, first: Resources): Promise<Resources> {
    const all = [...first]
    try {
      const isWhole = await readPieces(pieces, { server, version, into: all }, () => closed, log)
      // What tools there are is not known by name: with some in pieces, all are written anew.
      if (isWhole && !jobs.has(server) && pieces.current(server) === version && !pieces.has(server, version, -1))
        written.set(server, { resources: all, tools: none })
    } catch (error) {
      log.error(`The resources of ${server} could not be read`, error)
    }
    return all
  }

  return {
    read(server, first) {
      const version = pieces.current(server)
      return version === 0 || !pieces.has(server, version, 0) ? undefined : readRest(server, version, first)
    },
    tools: (server) => pieces.toolBodies(server).flatMap((body) => parseText(pieceOfTools, body, `tools of ${server}`, log) ?? []),
    write(server, catalogue, commitRest) {
      const lists: Lists = { resources: catalogue.resources, tools: inPieces(catalogue) }
      const commit = (): void => commitRest(withoutPieces(catalogue, lists))
      const known = jobs.get(server)
      if (known && alike(known, lists)) {
        known.commit = commit
        return
      }
      jobs.delete(server)
      if (alike(written.get(server), lists)) return commit()
      if (lists.resources.length <= inOnePiece && lists.tools === none) {
        put(server, lists, 0, commit)
        if (pieces.newest(server) > 0) void tidy(server)
        return
      }
      const job = newJob(pieces, server, lists, commit)
      jobs.set(server, job)
      void carryOut(server, job)
    },
    finish,
    rename(from, to) {
      finish(from)
      drop(to)
      pieces.rename(from, to)
      written.delete(from)
    },
    drop,
    close() {
      closed = true
      for (const server of jobs.keys()) {
        try {
          finish(server)
        } catch (error) {
          log.error(`The lists of ${server} could not be kept`, error)
        }
      }
    },
  }
}
