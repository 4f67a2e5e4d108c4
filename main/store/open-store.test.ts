import { existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { HostError } from '#app/errors.ts'
import { silentLog } from '#main/base/host-log.ts'
import { modeOf } from '#main/base/this-system.testing.ts'
import { openDatabase } from './database/database.ts'
import { migrate, readSchemaVersion } from './database/migrate.ts'
import { schemaVersion } from './database/schema.ts'
import { classifyFileError, classifySqlite, toStoreError } from './database/sqlite-errors.ts'
import { openStore } from './open-store.ts'
import { codeOf, makeProfile, type TestProfile } from './store.testing.ts'

let profile: TestProfile
beforeEach(() => {
  profile = makeProfile()
})
afterEach(() => profile.dispose())

const errorOf = (work: () => unknown): HostError => {
  try {
    work()
  } catch (error) {
    if (error instanceof HostError) return error
    throw error
  }
  return expect.unreachable()
}

describe('a profile', () => {
  test('is made whole, for its owner only, with every commit on the disk', () => {
    profile.store()
    expect(modeOf(profile.path, 0o600)).toBe(0o600)
    profile.store().close()
    const database = openDatabase(profile.path)
    database.prepareForWriting()
    const pragma = (name: string): unknown => Object.values(database.get(`PRAGMA ${name}`) ?? {})[0]
    expect(['journal_mode', 'synchronous', 'foreign_keys', 'user_version'].map(pragma)).toEqual(['wal', 2, 1, schemaVersion])
    database.close()
  })

  test('of a newer version is refused by name and left as it is', () => {
    profile.store().close()
    const raw = new DatabaseSync(profile.path)
    raw.exec('PRAGMA user_version = 99; PRAGMA journal_mode = DELETE')
    raw.close()
    const before = readFileSync(profile.path)
    const error = errorOf(() => profile.reopen())
    expect([error.code, error.data]).toEqual(['profile.newer', { path: profile.path, found: 99, known: schemaVersion }])
    expect(readFileSync(profile.path).equals(before)).toBe(true)
    expect(readdirSync(profile.dataDir).filter((name) => name.startsWith('assent.db'))).toEqual(['assent.db'])
  })

  test('whose newer version is only in the write-ahead log is refused too', () => {
    profile.store().settings.set({ theme: 'dark' })
    profile.store().close()
    const writer = new DatabaseSync(profile.path)
    writer.exec('PRAGMA wal_autocheckpoint = 0; PRAGMA user_version = 99')
    const crashed = makeProfile()
    for (const suffix of ['', '-wal']) writeFileSync(`${crashed.path}${suffix}`, readFileSync(`${profile.path}${suffix}`))
    writer.close()
    expect(codeOf(() => crashed.store())).toBe('profile.newer')
    crashed.dispose()
  })

  test.each<[string, (path: string) => void]>([
    ['not a database', (path) => writeFileSync(path, 'this is not a database, but it is long enough to have been read as one '.repeat(9))],
    ['cut short', (path) => truncateSync(path, 5000)],
  ])('that is %s is reported and kept', (_title, damage) => {
    profile.store().close()
    damage(profile.path)
    const before = readFileSync(profile.path)
    expect(codeOf(() => profile.reopen())).toBe('profile.corrupt')
    expect(readFileSync(profile.path).equals(before)).toBe(true)
  })

  test('in a folder that cannot be made is reported', () => {
    const file = join(profile.dataDir, 'a-file')
    writeFileSync(file, '')
    expect(codeOf(() => openStore({ dataDir: join(file, 'profile'), clock: profile.clock, log: silentLog }))).toBe('profile.unwritable')
  })

  test('is open once at a time, and names who has it', () => {
    profile.store()
    const error = errorOf(() => openStore({ dataDir: profile.dataDir, clock: profile.clock, log: silentLog }))
    expect([error.code, error.data]).toEqual(['profile.locked', { path: profile.dataDir, pid: process.pid }])
    expect(profile.store().settings.get().theme).toBe('system')
    profile.reopen()
  })

  test('that could not be opened is not locked by the attempt', () => {
    writeFileSync(profile.path, 'x'.repeat(2000))
    expect(codeOf(() => profile.store())).toBe('profile.corrupt')
    expect(codeOf(() => profile.store())).toBe('profile.corrupt')
  })

  test('closes twice without harm', () => {
    const store = profile.store()
    store.close()
    store.close()
    expect(existsSync(join(profile.dataDir, 'assent.pid'))).toBe(false)
  })
})

describe('migrations', () => {
  const first = 'CREATE TABLE notes (text TEXT) STRICT'
  const second = "ALTER TABLE notes ADD COLUMN by TEXT; INSERT INTO notes VALUES ('two', 'b')"
  const at = (steps: readonly string[]): ReturnType<typeof openDatabase> => {
    const database = openDatabase(profile.path)
    database.prepareForWriting()
    migrate(database, steps)
    return database
  }

  test('run once each, and keep a copy of the profile as it was', () => {
    const old = at([first])
    old.run("INSERT INTO notes VALUES ('one')")
    old.close()
    const now = at([first, second])
    expect([readSchemaVersion(now), now.all('SELECT text FROM notes').length]).toEqual([2, 2])
    now.close()
    at([first, second]).close()
    const copy = openDatabase(`${profile.path}.before-v2`)
    expect([readSchemaVersion(copy), copy.all('SELECT * FROM notes').map((row) => ({ ...row }))]).toEqual([1, [{ text: 'one' }]])
    copy.close()
  })

  test('a version before that of the first step is refused, and the file stays as it was', () => {
    at([first, second]).close()
    const old = openDatabase(profile.path)
    expect(codeOf(() => migrate(old, [first], 4))).toBe('profile.corrupt')
    old.close()
    const database = at([first, second])
    expect(readSchemaVersion(database)).toBe(2)
    database.close()
  })

  test('a new profile has no copy', () => {
    at([first, second]).close()
    expect(existsSync(`${profile.path}.before-v2`)).toBe(false)
  })

  test('one that fails leaves the profile at the version before it', () => {
    at([first]).close()
    expect(codeOf(() => at([first, 'INSERT INTO notes VALUES (1, 2, 3)']))).toBe('internal')
    const database = openDatabase(profile.path)
    expect(readSchemaVersion(database)).toBe(1)
    database.close()
  })
})

describe('transactions', () => {
  test('keep all or nothing, nested ones too', () => {
    const store = profile.store()
    const fail = (): never => {
      throw new Error('no')
    }
    store.transaction(() => {
      store.settings.setFact('outer', 1)
      expect(() =>
        store.transaction(() => {
          store.settings.setFact('inner', 1)
          fail()
        }),
      ).toThrow('no')
    })
    expect(() =>
      store.transaction(() => {
        store.settings.setFact('lost', 1)
        fail()
      }),
    ).toThrow('no')
    expect(['outer', 'inner', 'lost'].map((name) => store.settings.fact(name))).toEqual([1, undefined, undefined])
  })

  test('refuse work that goes on after they end', () => {
    const store = profile.store()
    expect(codeOf(() => store.transaction(async () => store.settings.setFact('late', 1)))).toBe('internal')
    expect(store.settings.fact('late')).toBeUndefined()
  })

  test('in passing keep all or nothing too, and the next commit waits for the disk', () => {
    const database = openDatabase(profile.path)
    database.prepareForWriting()
    database.exec('CREATE TABLE notes (text TEXT)')
    const add = (text: string): number => database.run('INSERT INTO notes VALUES (?)', text)
    database.inPassing(() => add('kept'))
    expect(() =>
      database.inPassing(() => {
        add('lost')
        throw new Error('no')
      }),
    ).toThrow('no')
    expect(database.all('SELECT text FROM notes')).toEqual([{ text: 'kept' }])
    expect(database.get('PRAGMA synchronous')).toEqual({ synchronous: 2 })
    database.close()
  })

  test('return what the work returns', () => {
    expect(profile.store().transaction(() => 7)).toBe(7)
  })
})

test('a store that is made ready has the files of its first change', async () => {
  await profile.store().signed.flush() // The first start signs.
  profile.reopen()
  expect(statSync(`${profile.path}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0)
  profile.store().makeReady()
  expect(statSync(`${profile.path}-wal`).size).toBeGreaterThan(0)
})

describe('a full disk', () => {
  test('is reported, what was saved stays, and saving goes on once there is room', () => {
    const database = openDatabase(profile.path)
    database.prepareForWriting()
    database.exec('CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES (1); PRAGMA max_page_count = 10')
    const big = 'x'.repeat(100_000)
    expect(codeOf(() => database.run('INSERT INTO notes VALUES (?)', big))).toBe('disk.full')
    expect(codeOf(() => database.transaction(() => database.run('INSERT INTO notes VALUES (?)', big)))).toBe('disk.full')
    database.exec('PRAGMA max_page_count = 1000')
    database.transaction(() => database.run('INSERT INTO notes VALUES (?)', big))
    expect(database.all('SELECT text FROM notes')).toHaveLength(2)
    database.close()
  })
})

describe('errors', () => {
  test.each([
    [13, 'disk.full'],
    [8, 'profile.unwritable'],
    [776, 'profile.unwritable'],
    [14, 'profile.unwritable'],
    [778, 'profile.unwritable'],
    [5, 'profile.locked'],
    [261, 'profile.locked'],
    [11, 'profile.corrupt'],
    [26, 'profile.corrupt'],
    [1, 'internal'],
    [1811, 'internal'],
  ])('result %i of SQLite is %s', (resultCode, code) => {
    expect(classifySqlite(resultCode)).toBe(code)
  })

  test.each([
    ['ENOSPC', 'disk.full'],
    ['EDQUOT', 'disk.full'],
    ['EACCES', 'profile.unwritable'],
    ['EROFS', 'profile.unwritable'],
  ])('%s of the file system is %s', (reason, code) => {
    expect(classifyFileError(reason)).toBe(code)
  })

  test.each(['ENOSPC', 'EROFS'])('%s names the file', (code) => {
    const error = toStoreError(Object.assign(new Error('no'), { code, syscall: 'write' }), '/somewhere/assent.db')
    expect((error as HostError).message).toContain('/somewhere/assent.db')
  })

  test('of our own code come back as they are', () => {
    const mine = new TypeError('mine')
    expect(toStoreError(mine, '/x')).toBe(mine)
  })
})
