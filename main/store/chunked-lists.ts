// Very long lists of tools and resources. They are stored apart from the catalogue, in pieces that are written one a turn of the event
// loop. A new list is written beside the former one and replaces it together with the rest of the catalogue once it is whole, so what
// a crash leaves is consistent. Resources are read one piece a turn too; tools with the catalogue, since a model is told all of them.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import { type Catalogue, type ResourceEntry, resourceEntry, type ToolEntry, toolEntry } from '#app/server/catalogue.ts'
import type { Log } from '#main/base/host-log.ts'
import type { Database } from './database/database.ts'
import { insert, parseText, texts } from './rows.ts'

/** Resources that are stored with the catalogue, and those of a piece: some milliseconds of work. */
export const inOnePiece = 2000

/** Most tools, and tokens of tools, that are stored with the catalogue. */
const fewTools = { count: 100, tokens: 50_000 }
/** Length of a piece of tools in UTF-16 units of JSON text. */
const toolsPiece = 256 * 1024

type Resources = readonly ResourceEntry[]
type Tools = readonly ToolEntry[]
const none: Tools = []

const inPieces = ({ tools }: Pick<Catalogue, 'tools'>): Tools =>
  tools.length > fewTools.count || tools.reduce((sum, { tokens }) => sum + tokens, 0) > fewTools.tokens ? tools : none

interface Lists {
  readonly resources: Resources
  readonly tools: Tools
}
interface Job extends Lists {
  readonly version: number
  commit: () => void
  place: number
  /** Number of tools that are written, and of their pieces, which have places below 0. */
  toolsDone: number
  toolPieces: number
}
const alike = (one: Lists | undefined, { resources, tools }: Lists): boolean => one?.resources === resources && one.tools === tools

const piece = z.array(resourceEntry)
const pieceOfTools = z.array(toolEntry)

const BODY = 'SELECT body FROM server_resources WHERE server = ? AND version = ? AND place'

/** The pieces of one database: each belongs to a server, a version of its lists, and a place in it; tools have places below 0. */
function createPieces(database: Database) {
  const numberOf = (sql: string, server: string): number => Number(database.get(sql, server)?.['number'] ?? 0)
  const current = (server: string): number => numberOf('SELECT resources AS number FROM server_memory WHERE server = ?', server)
  const body = (server: string, version: number, place: number) => database.get(`${BODY} = ?`, server, version, place)?.['body']
  return {
    current,
    newest: (server: string): number => numberOf('SELECT max(version) AS number FROM server_resources WHERE server = ?', server),
    has: (server: string, version: number, place: number): boolean => body(server, version, place) !== undefined,
    body,
    toolBodies: (server: string): string[] => texts(database.all(`${BODY} < 0 ORDER BY place DESC`, server, current(server)), 'body'),
    insert: (server: string, version: number, place: number, text: string): void =>
      void insert(database, 'server_resources', { server, version, place, body: text }),
    /** Puts a version in force together with what `commit` writes. */
    commit: (server: string, version: number, commit: () => void): void =>
      database.inPassing(() => {
        commit()
        database.run('UPDATE server_memory SET resources = ? WHERE server = ?', version, server)
      }),
    removeOld(server: string): boolean {
      const old = 'SELECT id FROM server_resources WHERE server = ? AND version <> ? LIMIT 1'
      return database.run(`DELETE FROM server_resources WHERE id = (${old})`, server, current(server)) > 0
    },
    rename: (from: string, to: string): void => void database.run('UPDATE server_resources SET server = ? WHERE server = ?', to, from),
    drop: (server: string): void => void database.run('DELETE FROM server_resources WHERE server = ?', server),
  }
}

type Pieces = ReturnType<typeof createPieces>

const newJob = (pieces: Pieces, server: string, lists: Lists, commit: () => void): Job => ({
  ...lists,
  version: Math.max(pieces.current(server), pieces.newest(server)) + 1,
  commit,
  place: 0,
  toolsDone: 0,
  toolPieces: 0,
})

/** Part of a catalogue that is not in pieces. */
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

function attempt(server: string, log: Log, step: () => void): void {
  try {
    step()
  } catch (error) {
    log.error(`The lists of ${server} could not be kept`, error)
  }
}

export type ChunkedLists = ReturnType<typeof createChunkedLists>

export function createChunkedLists(database: Database, log: Log) {
  const pieces = createPieces(database)
  const jobs = new Map<string, Job>()
  const written = new Map<string, Lists>()
  let closed = false
  const tidy = (server: string): Promise<void> => removeOldPieces(pieces, server, () => !closed && !jobs.has(server), log)

  function put(server: string, { resources, tools }: Lists, version: number, commit: () => void): void {
    pieces.commit(server, version, commit)
    written.set(server, { resources, tools })
  }

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
      // Tools in pieces are not known here: with some of them, all lists are written anew.
      if (isWhole && !jobs.has(server) && pieces.current(server) === version && !pieces.has(server, version, -1))
        written.set(server, { resources: all, tools: none })
    } catch (error) {
      log.error(`The resources of ${server} could not be read`, error)
    }
    return all
  }

  return {
    read(server: string, first: Resources): Promise<Resources> | undefined {
      const version = pieces.current(server)
      return version === 0 || !pieces.has(server, version, 0) ? undefined : readRest(server, version, first)
    },
    tools: (server: string): ToolEntry[] =>
      pieces.toolBodies(server).flatMap((body) => parseText(pieceOfTools, body, `tools of ${server}`, log) ?? []),
    /** `commitRest` stores the rest of the catalogue, at once if no piece has to be written before. */
    write(server: string, catalogue: Catalogue, commitRest: (rest: Catalogue) => void): void {
      const lists: Lists = { resources: catalogue.resources, tools: inPieces(catalogue) }
      const commit = (): void => commitRest(withoutPieces(catalogue, lists))
      const known = jobs.get(server)
      if (known && alike(known, lists)) {
        known.commit = commit
        return
      }
      jobs.delete(server)
      if (alike(written.get(server), lists)) commit()
      else if (lists.resources.length <= inOnePiece && lists.tools === none) {
        put(server, lists, 0, commit)
        if (pieces.newest(server) > 0) void tidy(server)
      } else {
        const job = newJob(pieces, server, lists, commit)
        jobs.set(server, job)
        void carryOut(server, job)
      }
    },
    finish,
    rename(from: string, to: string): void {
      finish(from)
      drop(to)
      pieces.rename(from, to)
      written.delete(from)
    },
    drop,
    close(): void {
      closed = true
      for (const server of jobs.keys()) attempt(server, log, () => finish(server))
    },
  }
}
