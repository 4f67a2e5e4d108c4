// Very long lists of tools and resources. They are stored apart from the catalogue, in pieces that are written one a turn of the event
// loop. A new list is written beside the former one and replaces it together with the rest of the catalogue once it is whole, so what
// a crash leaves is consistent. Resources are read one piece a turn too; tools with the catalogue, since a model is told all of them.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import { type Catalogue, type ResourceEntry, resourceEntry, type ToolEntry, toolEntry } from '#app/server/catalogue.ts'
import { type Log, logFailure } from '#main/base/host-log.ts'
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
  readonly left: Iterator<readonly [place: number, text: string]>
  readonly commit: () => void
}
const alike = (one: Lists | undefined, { resources, tools }: Lists): boolean => one?.resources === resources && one.tools === tools

const piece = z.array(resourceEntry)
const pieceOfTools = z.array(toolEntry)

/** JSON texts of the pieces, each made when it is written. Tools have places below 0. */
function* piecesOf({ tools, resources }: Lists): Generator<readonly [place: number, text: string]> {
  for (let place = -1, done = 0; done < tools.length; place -= 1) {
    const texts: string[] = []
    for (let length = 0; length < toolsPiece && done < tools.length; done += 1) {
      const text = JSON.stringify(tools[done])
      length += text.length
      texts.push(text)
    }
    yield [place, `[${texts.join(',')}]`]
  }
  for (let from = inOnePiece; from < resources.length; from += inOnePiece)
    yield [from / inOnePiece - 1, JSON.stringify(resources.slice(from, from + inOnePiece))]
}

const BODY = 'SELECT body FROM server_resources WHERE server = ? AND version = ? AND place'

function piecesIn(database: Database) {
  const numberOf = (sql: string, server: string): number => Number(database.get(sql, server)?.['number'] ?? 0)
  return {
    /** Version that is in force; 0: there are no pieces. */
    current: (server: string): number => numberOf('SELECT resources AS number FROM server_memory WHERE server = ?', server),
    newest: (server: string): number => numberOf('SELECT max(version) AS number FROM server_resources WHERE server = ?', server),
    bodyAt: (server: string, version: number, place: number) => database.get(`${BODY} = ?`, server, version, place)?.['body'],
  }
}

function createJobs(database: Database, log: Log) {
  const jobs = new Map<string, Job>()
  /** Lists that are known to be stored, by server. */
  const written = new Map<string, Lists>()
  const { current } = piecesIn(database)
  let closed = false

  /** Removes pieces of other versions, one a turn. Never rejects. */
  async function tidy(server: string): Promise<void> {
    const old = 'SELECT id FROM server_resources WHERE server = ? AND version <> ? LIMIT 1'
    const remove = (): boolean => database.run(`DELETE FROM server_resources WHERE id = (${old})`, server, current(server)) > 0
    try {
      while (!closed && !jobs.has(server) && remove()) await nextTurn()
    } catch (error) {
      log.error(`Old resources of ${server} could not be removed`, error)
    }
  }

  /** Puts a version in force together with what `commit` writes. */
  function put(server: string, { resources, tools }: Lists, version: number, commit: () => void): void {
    database.inPassing(() => {
      commit()
      database.run('UPDATE server_memory SET resources = ? WHERE server = ?', version, server)
    })
    written.set(server, { resources, tools })
  }

  /** Writes the next piece. False: the job is done. */
  function step(server: string, job: Job): boolean {
    const { value, done } = job.left.next()
    if (!done) return insert(database, 'server_resources', { server, version: job.version, place: value[0], body: value[1] }) > 0
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

  /** Writes the rest of a server's lists at once. */
  function finish(server: string): void {
    const job = jobs.get(server)
    while (job && step(server, job));
  }

  function drop(server: string): void {
    for (const map of [jobs, written]) map.delete(server)
    database.run('DELETE FROM server_resources WHERE server = ?', server)
  }

  return {
    jobs,
    written,
    tidy,
    put,
    carryOut,
    finish,
    drop,
    isClosed: (): boolean => closed,
    close(): void {
      closed = true
      for (const server of jobs.keys()) logFailure(log, `The lists of ${server} could not be kept`, () => finish(server))
    },
  }
}

export type ChunkedLists = ReturnType<typeof createChunkedLists>

/** Each piece belongs to a server, a version of its lists, and a place in it. */
export function createChunkedLists(database: Database, log: Log) {
  const { jobs, written, tidy, put, carryOut, finish, drop, isClosed, close } = createJobs(database, log)
  const { current, newest, bodyAt } = piecesIn(database)

  async function readRest(server: string, version: number, first: Resources): Promise<Resources> {
    const all = [...first]
    try {
      for (let place = 0; ; place += 1) {
        await nextTurn()
        if (isClosed()) return all
        const body = bodyAt(server, version, place)
        if (body === undefined) break
        all.push(...(parseText(piece, body, `resources of ${server}`, log) ?? []))
      }
      // Tools in pieces are not known here: with some of them, all lists are written anew.
      if (!jobs.has(server) && current(server) === version && bodyAt(server, version, -1) === undefined)
        written.set(server, { resources: all, tools: none })
    } catch (error) {
      log.error(`The resources of ${server} could not be read`, error)
    }
    return all
  }

  return {
    /** Resolves with the whole list, which begins with `first`; undefined: there are no more. */
    read(server: string, first: Resources): Promise<Resources> | undefined {
      const version = current(server)
      return version === 0 || bodyAt(server, version, 0) === undefined ? undefined : readRest(server, version, first)
    },
    tools: (server: string): ToolEntry[] =>
      texts(database.all(`${BODY} < 0 ORDER BY place DESC`, server, current(server)), 'body').flatMap(
        (body) => parseText(pieceOfTools, body, `tools of ${server}`, log) ?? [],
      ),
    /** `commitRest` stores the rest of the catalogue, at once if no piece has to be written before. */
    write(server: string, catalogue: Catalogue, commitRest: (rest: Catalogue) => void): void {
      const lists: Lists = { resources: catalogue.resources, tools: inPieces(catalogue) }
      const tools = lists.tools === none ? catalogue.tools : []
      const commit = (): void => commitRest({ ...catalogue, tools, resources: catalogue.resources.slice(0, inOnePiece) })
      const known = jobs.get(server)
      if (known && alike(known, lists)) return void Object.assign(known, { commit })
      jobs.delete(server)
      if (alike(written.get(server), lists)) commit()
      else if (lists.resources.length <= inOnePiece && lists.tools === none) {
        put(server, lists, 0, commit)
        if (newest(server) > 0) void tidy(server)
      } else {
        const job: Job = { ...lists, commit, version: Math.max(current(server), newest(server)) + 1, left: piecesOf(lists) }
        jobs.set(server, job)
        void carryOut(server, job)
      }
    },
    finish,
    rename(from: string, to: string): void {
      finish(from)
      drop(to)
      database.run('UPDATE server_resources SET server = ? WHERE server = ?', to, from)
      written.delete(from)
    },
    drop,
    close,
  }
}
