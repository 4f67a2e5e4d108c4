// Very many resources of one server: what is found of them after the process ended at any moment, and what the loop does meanwhile.
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Catalogue, emptyCatalogue } from '#app/server/catalogue.ts'
import { inOnePiece } from './chunked-lists.ts'
import { openDatabase } from './database/database.ts'
import { makeProfile, type TestProfile } from './store.testing.ts'
import type { ServerStore } from './store-api.ts'

let profile: TestProfile
beforeEach(() => {
  profile = makeProfile()
})
afterEach(() => profile.dispose())

const pieces = 4
const many = (what: string, count = (pieces + 1) * inOnePiece - 1): Catalogue => ({
  ...emptyCatalogue,
  resources: Array.from({ length: count }, (_, at) => ({ uri: `a://${what}/${at}`, name: what })),
  fetchedAt: 1,
})
async function found(servers: ServerStore, server = 'files'): Promise<Catalogue | undefined> {
  const catalogue = servers.catalogue(server)
  const resources = catalogue && (await servers.restOfResources(server, catalogue))
  return resources ? { ...catalogue, resources: [...resources] } : catalogue
}
/** Another look at the same file, as a process that began now would have it. */
function onDisk<T>(sql: string): T[] {
  const database = openDatabase(`${profile.dataDir}/assent.db`, { readOnly: true })
  try {
    return database.all(sql).map((row) => row['value'] as T)
  } finally {
    database.close()
  }
}
const named = (): string[] => onDisk<string>("SELECT json_extract(catalogue, '$.resources[0].name') AS value FROM server_memory")
const rows = (): number => onDisk<number>('SELECT count(*) AS value FROM server_resources')[0] ?? 0
async function until(done: () => boolean): Promise<number> {
  for (let turns = 0; ; turns += 1) {
    if (done()) return turns
    await turn()
  }
}

it('are written a piece a turn, stand beside those of before until all are there, and then take their place', async () => {
  const { servers } = profile.store()
  servers.putCatalogue('files', many('old'))
  await until(() => named().length > 0)
  servers.putCatalogue('files', many('new'))
  const seen = new Set<string>()
  const turns = await until(() => {
    seen.add(`${named()[0]} ${rows()}`)
    return named()[0] === 'new'
  })
  expect(turns).toBeGreaterThanOrEqual(pieces - 1)
  expect([...seen].filter((one) => one.startsWith('old')).length).toBeGreaterThanOrEqual(pieces - 1)
  await until(() => rows() === pieces)
  expect(await found(profile.reopen().servers)).toEqual(many('new'))
})

it('are all there after Assent was ended in their midst', async () => {
  profile.store().servers.putCatalogue('files', many('a'))
  expect(await found(profile.reopen().servers)).toEqual(many('a'))
})

it('of a process that died in their midst, those of before are found, and what was begun goes with the next list', async () => {
  const { servers } = profile.store()
  servers.putCatalogue('files', many('old'))
  await until(() => named().length > 0)
  const database = openDatabase(`${profile.dataDir}/assent.db`)
  database.run("INSERT INTO server_resources (server, version, place, body) VALUES ('files', 2, 0, '[]')")
  database.close()
  const next = profile.reopen().servers
  expect(await found(next)).toEqual(many('old'))
  next.putCatalogue('files', many('new'))
  await until(() => named()[0] === 'new' && rows() === pieces)
  expect(await found(next)).toEqual(many('new'))
})

const tool = (at: number, what = 'a') => ({
  name: `${what}_${at}`,
  description: 'x'.repeat(2000),
  inputSchema: { type: 'object' },
  modelName: `${what}_${at}`,
  tokens: 500,
  enabled: true,
  fingerprint: what,
})
const toolbox = (what: string, count = 1000, resources = 0): Catalogue => ({
  ...many(what, resources),
  tools: Array.from({ length: count }, (_, at) => tool(at, what)),
})
const ofTools = (): number[] => onDisk<number>('SELECT length(body) AS value FROM server_resources WHERE place < 0')

it('of tools: no turn writes more than a piece, and those of before are found until all are there', async () => {
  const { servers } = profile.store()
  servers.putCatalogue('files', toolbox('old'))
  expect(servers.catalogue('files')).toBeUndefined()
  await until(() => servers.catalogue('files') !== undefined)
  servers.putCatalogue('files', toolbox('new', 1000, 2 * inOnePiece))
  const turns = await until(() => servers.catalogue('files')?.tools[0]?.name !== 'old_0')
  expect(turns).toBeGreaterThanOrEqual(9)
  await until(() => ofTools().length === 9)
  expect(Math.max(...ofTools())).toBeLessThan(300_000)
  expect(onDisk<number>('SELECT length(catalogue) AS value FROM server_memory')[0]).toBeLessThan(300_000)
  expect(await found(profile.reopen().servers)).toEqual(toolbox('new', 1000, 2 * inOnePiece))
})

it('of tools: are all there after Assent was ended in their midst, go with the name, and give way to few', async () => {
  profile.store().servers.putCatalogue('files', toolbox('a'))
  const next = profile.reopen().servers
  expect(await found(next)).toEqual(toolbox('a'))
  next.rename('files', 'docs')
  expect([await found(next, 'docs'), await found(next)]).toEqual([toolbox('a'), undefined])
  next.putCatalogue('docs', toolbox('b', 3))
  expect(await found(next, 'docs')).toEqual(toolbox('b', 3))
  await until(() => rows() === 0)
  next.putCatalogue('docs', { ...emptyCatalogue, tools: [{ ...tool(1), tokens: 60_000 }] })
  await until(() => ofTools().length === 1)
  next.forget('docs')
  await turn()
  expect([await found(next, 'docs'), rows()]).toEqual([undefined, 0])
})

it('of tools: that are the same as before are not written again', async () => {
  const { servers } = profile.store()
  const first = toolbox('a')
  servers.putCatalogue('files', first)
  await until(() => named().length === 1 && ofTools().length === 9)
  const before = onDisk('SELECT max(id) AS value FROM server_resources')
  servers.putCatalogue('files', { ...first, fetchedAt: 2 })
  expect(onDisk('SELECT max(id) AS value FROM server_resources')).toEqual(before)
  expect(await found(profile.reopen().servers)).toEqual({ ...first, fetchedAt: 2 })
})

it('that are the same as before are not written again; what stands beside them is', async () => {
  const { servers } = profile.store()
  const first = many('a')
  servers.putCatalogue('files', first)
  await until(() => named().length > 0)
  const before = onDisk('SELECT max(id) AS value FROM server_resources')
  servers.putCatalogue('files', { ...first, fetchedAt: 2 })
  expect(onDisk('SELECT max(id) AS value FROM server_resources')).toEqual(before)
  expect((await found(profile.reopen().servers))?.fetchedAt).toBe(2)
})

it('give way to a short list', async () => {
  const { servers } = profile.store()
  servers.putCatalogue('files', many('long'))
  servers.putCatalogue('files', many('short', 2))
  expect(await found(servers)).toEqual(many('short', 2))
  await until(() => rows() === 0)
})

it('go with the server’s name, and with what is forgotten of it', async () => {
  const { servers } = profile.store()
  servers.putCatalogue('files', many('a'))
  servers.rename('files', 'docs')
  expect([await found(servers, 'docs'), await found(servers)]).toEqual([many('a'), undefined])
  servers.bindMemory('docs', 'one')
  servers.bindMemory('docs', 'another')
  expect([await found(servers, 'docs'), rows()]).toEqual([undefined, 0])
  servers.putCatalogue('docs', many('b'))
  servers.forget('docs')
  await turn()
  expect([await found(servers, 'docs'), rows()]).toEqual([undefined, 0])
})
