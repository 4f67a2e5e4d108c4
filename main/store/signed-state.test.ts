// The store with its signature, and a database that another process has written.
import { copyFileSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import type { Rule } from '#app/consent/rules/rule.ts'
import type { SignedReport } from '#app/signed-state.ts'
import { openDatabase } from './database/database.ts'
import { migrate } from './database/migrate.ts'
import { migrations, oldestVersion } from './database/schema.ts'
import { openStore } from './open-store.ts'
import { createMemoryKey, type StateKey } from './signed-state.ts'
import { makeProfile, type TestProfile } from './store.testing.ts'
import type { Store } from './store-api.ts'

let profile: TestProfile
beforeEach(() => {
  profile = makeProfile()
})
afterEach(() => profile.dispose())

const rule = (id: string, more: Partial<Rule> = {}): Rule => ({
  id,
  effect: 'allow',
  server: 'bank',
  tool: 'transfer',
  scope: { kind: 'always' },
  createdAt: 1,
  ...more,
})
const ids = (store: Store = profile.store()): string[] => store.rules.list().map(({ id }) => id)
/** Opens it and waits until it is signed. */
async function settled(): Promise<Store> {
  const store = profile.store()
  await store.signed.flush()
  await Promise.resolve()
  await store.signed.flush()
  return store
}
async function close(): Promise<void> {
  const store = await settled()
  store.close()
}
function outside(change: (db: DatabaseSync) => void): void {
  const db = new DatabaseSync(profile.path)
  change(db)
  db.close()
}
const changes = (report: SignedReport | undefined) =>
  report && [report.reason, ...report.items.flatMap(({ change, kind, name }) => (change ? [`${change} ${kind} ${name}`] : []))]
const copies: string[] = []
afterEach(() => {
  for (const copy of copies.splice(0)) rmSync(copy, { force: true })
})
function copyOf(): string {
  const copy = `${profile.path}.copy-${copies.length}`
  copyFileSync(profile.path, copy)
  copies.push(copy)
  return copy
}
function putBack(copy: string): void {
  for (const end of ['-wal', '-shm']) rmSync(profile.path + end, { force: true })
  copyFileSync(copy, profile.path)
}

it('uses what it signed, after every kind of change', async () => {
  const { rules, servers, sampling, settings, signed } = await settled()
  const steps: readonly (() => void)[] = [
    () => rules.put(rule('a')),
    () => rules.put(rule('b', { effect: 'deny' })),
    () => void rules.remove('a'),
    () => rules.putLaunch('bank', { fingerprint: 'f', target: { transport: 'stdio', command: 'c', args: [], envNames: [] }, digests: [] }),
    () => rules.putMcpApp('bank', 'ui://a', 'f'),
    () => void rules.forgetMcpApp('bank', 'ui://a'),
    () => rules.addSharedFolders('bank', { uris: ['file:///a'] }),
    () => void rules.forgetSharedFolders('bank'),
    () => servers.putTrust('bank', 'f'),
    () => servers.putFolders('bank', ['/a']),
    () => servers.putLogLevel('bank', 'debug'),
    () => servers.rename('bank', 'shop'),
    () => sampling.putBudget('shop', sampling.budget('shop')),
    () => sampling.addUse('shop', '2026-11-28', 500),
    () => sampling.addUse('shop', '2026-11-28', -100),
    () => void settings.set({ consentMode: 'ask-writes', theme: 'dark' }),
    () => settings.setFact('models/endpoints', [{ id: 'mine', baseUrl: 'https://a', models: [] }]),
  ]
  expect(signed.report).toBeUndefined()
  for (const step of steps) {
    step()
    await close()
    expect([step.toString(), profile.reopen().signed.report]).toEqual([step.toString(), undefined])
    // The next step writes to the store that is open.
    Object.assign(rules, profile.store().rules)
    Object.assign(servers, profile.store().servers)
    Object.assign(sampling, profile.store().sampling)
    Object.assign(settings, profile.store().settings)
  }
  expect(ids()).toEqual(['b'])
  expect(profile.store().settings.get()).toMatchObject({ consentMode: 'ask-writes', theme: 'dark' })
})

test('models that an endpoint lists are no permission', async () => {
  const { settings } = await settled()
  const endpoint = { id: 'mine', name: 'Mine', baseUrl: 'https://a' }
  settings.setFact('models/endpoints', [{ ...endpoint, models: [] }])
  await close()
  const counter = (): unknown => new DatabaseSync(profile.path).prepare('SELECT counter FROM state_seal').get()?.['counter']
  const before = counter()
  profile.reopen().settings.setFact('models/endpoints', [{ ...endpoint, models: ['a'], checkedAt: 2 }])
  await close()
  expect(counter()).toBe(before)
  outside((db) => db.exec("UPDATE signed_settings SET value = replace(value, 'https://a', 'https://b')"))
  expect(changes(profile.reopen().signed.report)).toEqual(['changed', 'changed endpoints Mine (https://b)'])
  expect(profile.store().settings.fact('models/endpoints')).toBeUndefined()
})

test.each(['UPDATE sampling_spent SET tokens = 0', 'DELETE FROM sampling_spent'])(
  'what a server used of the model is no less: %s',
  async (sql) => {
    const { sampling, rules } = await settled()
    rules.put(rule('allow'))
    sampling.addUse('bank', '2026-11-28', 500)
    await close()
    outside((db) => db.exec(sql))
    const { signed } = profile.reopen()
    expect([changes(signed.report)?.[1], ids()]).toEqual([`${sql.startsWith('DELETE') ? 'removed' : 'changed'} sampling bank`, []])
  },
)

describe('rows that another program wrote', () => {
  beforeEach(async () => {
    const { rules } = await settled()
    rules.put(rule('allow'))
    rules.put(rule('deny', { effect: 'deny', tool: 'write' }))
    await close()
  })

  const written: readonly (readonly [string, (db: DatabaseSync) => void, string])[] = [
    ['changed', (db) => db.exec(`UPDATE rules SET body = replace(body, '"deny"', '"allow"')`), 'changed rules bank · write'],
    [
      'added',
      (db) => db.exec("INSERT INTO rules (id, server, body) SELECT 'x', server, body FROM rules WHERE id = 'allow'"),
      'added rules bank · transfer',
    ],
    ['deleted', (db) => db.exec("DELETE FROM rules WHERE id = 'deny'"), 'removed rules bank · write'],
    ['in another table', (db) => db.exec("INSERT INTO trusted_servers VALUES ('bank', 'f')"), 'added trust bank'],
    [
      'settings',
      (db) => db.exec(`INSERT INTO signed_settings VALUES ('consentMode', '"ask-writes"')`),
      'added settings consentMode "ask-writes"',
    ],
    [
      'a trigger',
      (db) => db.exec('CREATE TRIGGER evil AFTER INSERT ON messages BEGIN DELETE FROM rules; END'),
      'added schema trigger evil',
    ],
    ['a trigger of ours', (db) => db.exec('DROP TRIGGER audit_never_changes'), 'added schema trigger audit_never_changes'],
  ]
  test.each(written)('%s: nothing counts, nothing is deleted, and the report names it', (_, change, named) => {
    outside(change)
    const count = (): unknown => new DatabaseSync(profile.path).prepare('SELECT count(*) AS c FROM rules').get()?.['c']
    const before = count()
    const { signed, rules, settings } = profile.reopen()
    expect([changes(signed.report), rules.list(), settings.get().consentMode, count()]).toEqual([['changed', named], [], 'rules', before])
    expect(changes(profile.reopen().signed.report)?.[0]).toBe(named.includes('schema') ? undefined : 'changed')
  })

  test('while it is open', async () => {
    const store = profile.reopen()
    expect(ids()).toEqual(['allow', 'deny'])
    outside((db) => db.exec("DELETE FROM rules WHERE id = 'deny'"))
    expect([ids(), changes(store.signed.report)]).toEqual([[], ['changed', 'removed rules bank · write']])
  })

  test('while it is open, before a write', async () => {
    const store = profile.reopen()
    outside((db) => db.exec("DELETE FROM rules WHERE id = 'deny'"))
    store.rules.put(rule('new'))
    expect([ids(), changes(store.signed.report)]).toEqual([['new'], ['changed', 'removed rules bank · write']])
  })

  test('the person keeps what is listed, with what they answered since', async () => {
    outside((db) => db.exec("DELETE FROM rules WHERE id = 'deny'"))
    const { signed, rules } = profile.reopen()
    rules.put(rule('since'))
    await signed.settle('use', signed.report?.token ?? '', () => {})
    expect([ids(), signed.report]).toEqual([['allow', 'since'], undefined])
    await close()
    expect([profile.reopen().signed.report, ids()]).toEqual([undefined, ['allow', 'since']])
  })

  test('the person starts with none', async () => {
    outside((db) => db.exec("DELETE FROM rules WHERE id = 'deny'"))
    const { signed, rules } = profile.reopen()
    rules.put(rule('since'))
    await signed.settle('none', signed.report?.token ?? '', () => {})
    await close()
    expect([profile.reopen().signed.report, ids()]).toEqual([undefined, ['since']])
  })

  test('a choice counts for what was listed, and for nothing that was written since', async () => {
    outside((db) => db.exec("DELETE FROM rules WHERE id = 'deny'"))
    const { signed } = profile.reopen()
    const token = signed.report?.token ?? ''
    outside((db) => db.exec("INSERT INTO rules (id, server, body) SELECT 'x', server, body FROM rules"))
    await expect(signed.settle('use', token, () => {})).rejects.toMatchObject({ code: 'contract.invalid' })
    expect(ids()).toEqual([])
  })

  test('an answer that was not put on record changes nothing', async () => {
    outside((db) => db.exec("DELETE FROM rules WHERE id = 'deny'"))
    const { signed } = profile.reopen()
    const fail = (): never => {
      throw new Error('disk')
    }
    await expect(signed.settle('use', signed.report?.token ?? '', fail)).rejects.toThrow('disk')
    expect(ids()).toEqual([])
  })
})

describe('an older state', () => {
  test('that is put back does not count, even with the counter of the present one', async () => {
    const { rules } = await settled()
    rules.put(rule('allow'))
    await close()
    const old = copyOf()
    profile.reopen().rules.remove('allow')
    await close()
    const present = new DatabaseSync(profile.path).prepare('SELECT counter FROM state_seal').get()?.['counter'] as number
    putBack(old)
    expect([profile.reopen().signed.report?.reason, ids()]).toEqual(['replaced', []])
    profile.store().close()
    outside((db) => db.prepare('UPDATE state_seal SET counter = ?').run(present))
    expect([profile.reopen().signed.report?.reason, ids()]).toEqual(['unsigned', []])
  })

  test('a crash before the counter was kept loses nothing, and opens no way back', async () => {
    const slow: { value: string | undefined; loses: boolean } = { value: undefined, loses: false }
    const key: StateKey = {
      kind: 'keyring',
      get value() {
        return slow.value
      },
      async set(value) {
        if (!slow.loses) slow.value = value
      },
    }
    const open = (): Store => {
      const store = openStore({ dataDir: profile.dataDir, clock: profile.clock, log: { debug() {}, info() {}, warn() {}, error() {} } })
      store.signed.open(key)
      return store
    }
    const first = open()
    await first.signed.flush()
    first.rules.put(rule('a'))
    await first.signed.flush()
    slow.loses = true // From here on it dies before the keyring has it.
    first.rules.put(rule('b'))
    first.rules.put(rule('c'))
    first.close()
    const ahead = copyOf()
    slow.loses = false
    const second = open()
    expect([second.signed.report, ids(second)]).toEqual([undefined, ['a', 'b', 'c']])
    await second.signed.flush()
    second.rules.remove('c')
    await second.signed.flush()
    second.close()
    putBack(ahead)
    const third = open()
    expect([third.signed.report?.reason, ids(third)]).toEqual(['replaced', []])
    third.close()
  })
})

describe('the key', () => {
  test('of a profile that was never signed signs what is there once, and lists it', async () => {
    const old = openDatabase(profile.path)
    old.prepareForWriting()
    migrate(
      old,
      migrations.slice(
        0,
        migrations.findIndex((step) => step.includes('CREATE TABLE state_seal')),
      ),
      oldestVersion,
    )
    old.run('INSERT INTO rules (id, server, body) VALUES (?, ?, ?)', 'a', 'bank', JSON.stringify(rule('a')))
    old.run("INSERT INTO settings VALUES ('consentMode', '\"ask-writes\"'), ('theme', '\"dark\"')")
    old.run('INSERT INTO facts VALUES (\'models/endpoints\', \'[{"id":"mine","name":"Mine","baseUrl":"https://a"}]\')')
    old.close()
    const { signed, settings } = await settled()
    expect(signed.report).toMatchObject({
      reason: 'first',
      items: [
        { kind: 'rules', name: 'bank · transfer', effect: 'allow' },
        { kind: 'settings', name: 'consentMode "ask-writes"' },
        { kind: 'endpoints', name: 'Mine (https://a)' },
      ],
    })
    expect([ids(), settings.get().consentMode, settings.fact('models/endpoints')]).toMatchObject([['a'], 'ask-writes', [{ id: 'mine' }]])
    await close()
    expect([profile.reopen().signed.report, ids()]).toEqual([undefined, ['a']])
  })

  test('that is lost, or of another profile, uses nothing until the person says so', async () => {
    const { rules } = await settled()
    rules.put(rule('a'))
    await close()
    profile.loseKey()
    const { signed } = profile.reopen()
    expect([signed.report?.reason, ids()]).toEqual(['no-key', []])
    await signed.settle('use', signed.report?.token ?? '', () => {})
    await close()
    expect([profile.reopen().signed.report, ids()]).toEqual([undefined, ['a']])
  })

  test('in a locked keyring: nothing is used or deleted, and there is no choice; it counts as soon as it comes', async () => {
    const key = createMemoryKey()
    const open = (given: StateKey | null): Store => {
      const store = openStore({ dataDir: profile.dataDir, clock: profile.clock, log: { debug() {}, info() {}, warn() {}, error() {} } })
      store.signed.open(given)
      return store
    }
    const first = open(key)
    await first.signed.flush()
    first.rules.put(rule('a'))
    await first.signed.flush()
    first.close()
    const locked = open(null)
    expect([locked.signed.report, ids(locked)]).toEqual([
      { reason: 'no-key', items: [{ kind: 'rules', name: 'bank · transfer', effect: 'allow' }], more: 0 },
      [],
    ])
    locked.rules.put(rule('b'))
    await expect(locked.signed.settle('none', '', () => {})).rejects.toMatchObject({ code: 'contract.invalid' })
    let told = 0
    locked.signed.onChange(() => {
      told += 1
    })
    locked.signed.open(key, true)
    await locked.signed.flush()
    expect([locked.signed.report, ids(locked), told]).toEqual([undefined, ['a', 'b'], 1])
    locked.close()
  })
})
