import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createMemorySecrets, type SecretStore } from '#main/base/secret-store.ts'
import { settleProfile } from '#main/shell/cli/data-folder.ts'
import { lockProfile } from '#main/store/database/profile-lock.ts'
import { isMoveDue, moveProfile } from './move-profile.ts'
import { moveStateKey, openStateKey } from './state-key.ts'

let folder: string
let moved: (readonly [string, string])[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assent-move-profile-'))
  moved = []
})
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))

const places = () => ({ dataDir: join(folder, 'Local', 'Assent'), former: join(folder, 'Roaming', 'Assent') })
const steps = (choose: 'dataDir' | 'former' | undefined = undefined) => ({
  ask: async () => choose && places()[choose],
  moveKey: async (from: string, to: string) => void moved.push([from, to]),
})

function fill(profile: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(profile, name)), { recursive: true })
    writeFileSync(join(profile, name), text)
  }
}

/** All files of a folder with their text, but for what locking leaves. */
function filesIn(profile: string): Record<string, string> {
  const entries = existsSync(profile) ? readdirSync(profile, { recursive: true, withFileTypes: true }) : []
  const files = entries.filter((entry) => entry.isFile() && entry.name !== 'assent.lock').map((entry) => join(entry.parentPath, entry.name))
  return Object.fromEntries(files.map((path) => [path.slice(profile.length + 1).replaceAll('\\', '/'), readFileSync(path, 'utf8')]).sort())
}

it('copies a former profile, then renames it, and gives its key along; caches, locks and installed packages stay behind', async () => {
  const { dataDir, former } = places()
  const kept = { 'assent.db': 'rows', 'servers.json': '{}', 'bundles/a/run.js': '1', 'browser/Local State': 'key' }
  const left = { 'browser/Code Cache/x': '', 'browser/lockfile': '', 'packages/installed/p/bin': '', 'join.json': '{}' }
  fill(former, { ...kept, ...left })
  mkdirSync(join(former, 'logs'))
  expect(isMoveDue(places())).toBe(true)
  expect(await moveProfile(places(), steps())).toBe(`${former}.kept`)
  expect([filesIn(dataDir), filesIn(`${former}.kept`), existsSync(former), existsSync(join(dataDir, 'logs')), moved]).toEqual([
    kept,
    { ...kept, ...left },
    false,
    true,
    [
      [former, dataDir],
      [former, `${former}.kept`],
    ],
  ])
  expect(isMoveDue(places())).toBe(false)
})

it('moves a database with rows that stand in its WAL alone, and links of folders', async () => {
  const { dataDir, former } = places()
  mkdirSync(former, { recursive: true })
  const db = new DatabaseSync(join(former, 'assent.db'))
  db.exec("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (a); INSERT INTO t VALUES ('in the WAL')")
  // As a process leaves them that was killed.
  fill(join(folder, 'killed'), {})
  mkdirSync(join(folder, 'killed'), { recursive: true })
  for (const name of readdirSync(former)) writeFileSync(join(folder, 'killed', name), readFileSync(join(former, name)))
  db.close()
  rmSync(former, { recursive: true })
  renameSync(join(folder, 'killed'), former)
  mkdirSync(join(former, 'bundles'))
  symlinkSync(join(former, 'bundles'), join(former, 'linked'), 'junction')
  await moveProfile(places(), steps())
  const copy = new DatabaseSync(join(dataDir, 'assent.db'))
  expect(copy.prepare('SELECT a FROM t').all()).toEqual([{ a: 'in the WAL' }])
  copy.close()
  expect(readdirSync(dataDir)).toContain('linked')
})

describe('a start that ended in between', () => {
  it('while it copied: the copy is begun anew', async () => {
    const { dataDir, former } = places()
    fill(former, { 'assent.db': 'rows' })
    fill(`${dataDir}.moving`, { 'assent.db': 'ro', other: '' })
    await moveProfile(places(), steps())
    expect([filesIn(dataDir), existsSync(`${dataDir}.moving`)]).toEqual([{ 'assent.db': 'rows' }, false])
  })

  it('before the former one was renamed: nobody is asked, and the key goes along', async () => {
    const { dataDir, former } = places()
    for (const place of [dataDir, former]) fill(place, { 'assent.db': 'rows' })
    expect(await moveProfile(places(), { ...steps(), ask: () => Promise.reject(new Error('asked')) })).toBe(`${former}.kept`)
    expect([filesIn(dataDir), moved[0]]).toEqual([{ 'assent.db': 'rows' }, [former, dataDir]])
  })
})

describe('a profile in both places', () => {
  beforeEach(() => {
    fill(places().former, { 'assent.db': 'old' })
    fill(places().dataDir, { 'assent.db': 'new' })
  })

  it('asks with both paths and when each was used', async () => {
    utimesSync(join(places().former, 'assent.db'), 5, 5)
    utimesSync(join(places().dataDir, 'assent.db'), 9, 9)
    const asked: unknown[] = []
    await moveProfile(places(), { ...steps(), ask: async (choices) => void asked.push(...choices) })
    expect(asked).toEqual([
      { path: places().dataDir, used: 9000 },
      { path: places().former, used: 5000 },
    ])
  })

  it('stays as it is when nobody chooses', async () => {
    const { dataDir, former } = places()
    expect(await moveProfile(places(), steps(undefined))).toBeUndefined()
    expect([filesIn(dataDir), filesIn(former), moved]).toEqual([{ 'assent.db': 'new' }, { 'assent.db': 'old' }, []])
  })

  it('keeps the one of the new place: the former one is put aside with its key', async () => {
    const { dataDir, former } = places()
    expect(await moveProfile(places(), steps('dataDir'))).toBe(`${former}.kept`)
    expect([filesIn(dataDir), filesIn(`${former}.kept`), moved]).toEqual([
      { 'assent.db': 'new' },
      { 'assent.db': 'old' },
      [[former, `${former}.kept`]],
    ])
  })

  it('takes the former one: the one of the new place is put aside with its key first', async () => {
    const { dataDir, former } = places()
    mkdirSync(`${dataDir}.kept`)
    expect(await moveProfile(places(), steps('former'))).toBe(`${former}.kept`)
    expect([filesIn(dataDir), filesIn(`${dataDir}.kept-2`), moved]).toEqual([
      { 'assent.db': 'old' },
      { 'assent.db': 'new' },
      [
        [dataDir, `${dataDir}.kept-2`],
        [former, dataDir],
        [former, `${former}.kept`],
      ],
    ])
  })

  it('is chosen at the terminal by its number', async () => {
    const input = new PassThrough()
    const output = new PassThrough()
    const notes: string[] = []
    input.end('2\n')
    await settleProfile(places(), { note: (text) => notes.push(text) }, { terminal: { input, output }, moveKey: steps().moveKey })
    const shown = String(output.read())
    expect([places().dataDir, places().former].map((path, at) => shown.includes(`${at + 1}: ${path}`))).toEqual([true, true])
    expect([filesIn(places().dataDir), notes.join().includes(`${places().former}.kept`)]).toEqual([{ 'assent.db': 'old' }, true])
  })

  it('refuses a command without a terminal, and one at whose question nobody chose', async () => {
    const input = new PassThrough().end('\n')
    for (const terminal of [undefined, { input, output: new PassThrough() }])
      await expect(settleProfile(places(), { note: () => {} }, { terminal, moveKey: steps().moveKey })).rejects.toMatchObject({
        code: 'profile.two',
        data: { paths: [places().dataDir, places().former] },
      })
  })
})

it('leaves a profile that runs, or whose key cannot be read, where it is', async () => {
  const { dataDir, former } = places()
  fill(former, { 'assent.db': 'rows' })
  const unlock = lockProfile(former)
  await expect(moveProfile(places(), steps())).rejects.toMatchObject({ code: 'profile.locked' })
  unlock()
  expect([existsSync(former), existsSync(dataDir)]).toEqual([true, false])
  const locked = async (): Promise<SecretStore> => ({ ...createMemorySecrets(), isLocked: true })
  const moveKey = (from: string, to: string) => moveStateKey(from, to, { where: where(), keyring: locked })
  await expect(moveProfile(places(), { ...steps(), moveKey })).rejects.toMatchObject({ code: 'secrets.unavailable' })
  expect(filesIn(former)).toEqual({ 'assent.db': 'rows' })
})

it('has nothing to move where there is no former profile, such as a folder with Chromium’s files alone', () => {
  fill(places().former, { 'browser/Local State': '' })
  expect([isMoveDue(places()), isMoveDue({ dataDir: places().dataDir })]).toEqual([false, false])
})

const where = () => ({ platform: 'linux', env: { XDG_STATE_HOME: join(folder, 'state') }, home: folder, cwd: folder }) as const

describe('the key that signs permissions', () => {
  const services = new Map<string, SecretStore>()
  const keyring = async (service: string): Promise<SecretStore> => {
    const secrets = services.get(service) ?? { ...createMemorySecrets(), kind: 'keyring' as const }
    services.set(service, secrets)
    return secrets
  }
  it.each([
    ['in the keyring', keyring],
    ['in a file', async () => createMemorySecrets()],
  ])('%s: goes with the profile, in place of one that the new place had, and leaves none behind', async (_title, open) => {
    const { dataDir, former } = places()
    const options = { where: where(), keyring: open }
    await (await openStateKey({ ...options, dataDir: former }))?.set('old')
    await (await openStateKey({ ...options, dataDir }))?.set('new')
    fill(former, { 'assent.db': 'old' })
    fill(dataDir, { 'assent.db': 'new' })
    await moveProfile(places(), { ...steps('former'), moveKey: (from, to) => moveStateKey(from, to, options) })
    const keys = [dataDir, `${dataDir}.kept`, former].map(async (path) => (await openStateKey({ ...options, dataDir: path }))?.value)
    expect(await Promise.all(keys)).toEqual(['old', 'new', undefined])
  })
})
