import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { codeOf, makeProfile, type TestProfile } from '../store.testing.ts'
import { hashRow } from './audit.ts'

let profile: TestProfile
beforeEach(() => {
  profile = makeProfile()
})
afterEach(() => profile.dispose())

function fill(count: number): void {
  const { audit } = profile.store()
  profile.store().transaction(() => {
    for (let n = 1; n <= count; n++) {
      profile.clock.time += 1
      audit.append({ kind: 'decision', server: 'files', tool: 'move', decision: 'allowed', by: 'person', detail: { n, z: 1, a: [null] } })
    }
  })
}

/** Changes the file as somebody would who goes round the app and its triggers. */
function tamper(sql: string): void {
  profile.store().close()
  const raw = new DatabaseSync(profile.path)
  const triggers = raw.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").all()
  for (const trigger of triggers) raw.exec(`DROP TRIGGER ${trigger['name']}`)
  raw.exec(sql)
  for (const trigger of triggers) raw.exec(String(trigger['sql']))
  raw.close()
  profile.reopen()
}

test('rows come back as they were appended, chained', () => {
  const { audit } = profile.store()
  const first = audit.append({ kind: 'key', detail: { b: 1, a: { d: 'é\u0000', c: [1.5] } } })
  const second = audit.append({ kind: 'launch', server: 'demo', decision: 'allowed', by: 'rule', conversationId: 'c' })
  expect(second).toMatchObject({ seq: 2, tool: null, previous: first.hash, detail: {} })
  const again = profile.reopen().audit
  expect([...again.all()]).toEqual([first, second])
  expect(again.list({ limit: 1 })).toEqual([second])
  expect(again.list({ limit: 9, before: 2 })).toEqual([first])
  expect(again.verify()).toBeUndefined()
})

test('the hash covers every field', () => {
  const { hash: _, ...row } = profile
    .store()
    .audit.append({ kind: 'rule', server: 's', tool: 't', decision: 'd', by: 'b', conversationId: 'c' })
  const others = {
    seq: 9,
    time: 9,
    kind: 'key',
    server: 'x',
    tool: 'x',
    decision: 'x',
    by: 'x',
    conversationId: 'x',
    detail: { x: 1 },
    previous: 'x',
  }
  const hashes = Object.entries(others).map(([name, value]) => hashRow({ ...row, [name]: value }))
  expect(new Set([hashRow(row), ...hashes]).size).toBe(Object.keys(others).length + 1)
})

test('names that are no whole text do not look like an alteration', () => {
  const { audit } = profile.store()
  const row = audit.append({ kind: 'call', server: 'a\ud800b', tool: 'nul\0nul', detail: { name: '\udfff', __proto__: null } })
  expect(row.server).toBe('a\ufffdb')
  expect(audit.verify()).toBeUndefined()
  expect(audit.list({ limit: 1 })).toEqual([row])
})

test('a rolled back row leaves no gap', () => {
  fill(2)
  const store = profile.store()
  expect(() =>
    store.transaction(() => {
      store.audit.append({ kind: 'call' })
      throw new Error('no')
    }),
  ).toThrow('no')
  expect(store.audit.append({ kind: 'call' }).seq).toBe(3)
  expect(store.audit.verify()).toBeUndefined()
})

describe('through SQL', () => {
  test.each([
    ['a change', 'UPDATE audit SET decision = NULL WHERE seq = 2'],
    ['a deletion', 'DELETE FROM audit WHERE seq = 3'],
    [
      'a replacement',
      "INSERT OR REPLACE INTO audit SELECT seq, time, 'key', server, tool, decision, by, conversation_id, detail, previous, hash FROM audit WHERE seq = 3",
    ],
    ['a gap', "INSERT INTO audit VALUES (9, 0, 'key', NULL, NULL, NULL, NULL, NULL, '{}', '', '')"],
    ['a head moved back', 'UPDATE audit_head SET seq = 2'],
    ['no head', 'DELETE FROM audit_head'],
  ])('%s is refused', (_title, sql) => {
    fill(3)
    profile.store().close()
    const raw = new DatabaseSync(profile.path)
    const SQLITE_CONSTRAINT_TRIGGER = 1811
    try {
      raw.exec(sql)
      expect.unreachable()
    } catch (error) {
      expect(error).toMatchObject({ errcode: SQLITE_CONSTRAINT_TRIGGER })
    } finally {
      raw.close()
    }
    expect(profile.reopen().audit.verify()).toBeUndefined()
  })
})

describe('round the triggers, the record shows', () => {
  test.each<[string, string, number]>([
    ['an altered column', "UPDATE audit SET decision = 'denied' WHERE seq = 700", 700],
    ['an altered detail', `UPDATE audit SET detail = '{"n":0}' WHERE seq = 3`, 3],
    ['a broken detail', `UPDATE audit SET detail = '{' WHERE seq = 3`, 3],
    ['a removed first row', 'DELETE FROM audit WHERE seq = 1', 2],
    ['a removed row', 'DELETE FROM audit WHERE seq = 600', 601],
    ['a removed row, renumbered', 'DELETE FROM audit WHERE seq = 600; UPDATE audit SET seq = seq - 1 WHERE seq > 600', 600],
    [
      'two rows that changed places',
      'UPDATE audit SET seq = -1 WHERE seq = 5; UPDATE audit SET seq = 5 WHERE seq = 6; UPDATE audit SET seq = 6 WHERE seq = -1',
      5,
    ],
    [
      'a row put before the first',
      "INSERT INTO audit SELECT 0, time, kind, server, tool, decision, by, conversation_id, detail, '', hash FROM audit WHERE seq = 1",
      0,
    ],
    ['a cut tail', 'DELETE FROM audit WHERE seq > 690', 690],
    ['no rows at all', 'DELETE FROM audit', 0],
    ['no head', 'DELETE FROM audit_head', 710],
    ['neither rows nor a head', 'DELETE FROM audit; DELETE FROM audit_head', 0],
  ])('%s', (_title, sql, seq) => {
    fill(710)
    tamper(sql)
    expect(profile.store().audit.verify()?.seq).toBe(seq)
  })
})

describe('what was tampered with is still appended to, after all that is there, and shows for good', () => {
  test.each<[string, string, number, number]>([
    ['no head', 'DELETE FROM audit_head', 4, 4],
    ['a head moved back', 'UPDATE audit_head SET seq = 1, hash = (SELECT hash FROM audit WHERE seq = 1)', 4, 4],
    ['a head of a new record', "UPDATE audit_head SET seq = 0, hash = ''", 4, 4],
    ['neither rows nor a head', 'DELETE FROM audit; DELETE FROM audit_head', 1, 1],
    ['a removed row', 'DELETE FROM audit WHERE seq = 2', 4, 3],
    ['a cut tail', 'DELETE FROM audit WHERE seq > 1', 4, 4],
    ['a cut tail and no head', 'DELETE FROM audit WHERE seq > 1; DELETE FROM audit_head', 2, 2],
  ])('%s', (_title, sql, appended, shown) => {
    fill(3)
    tamper(sql)
    expect(profile.store().audit.append({ kind: 'call' }).seq).toBe(appended)
    fill(2)
    const { audit } = profile.reopen()
    expect([audit.list({ limit: 1 })[0]?.seq, audit.verify()?.seq]).toEqual([appended + 2, shown])
  })
})

test('a row that cannot be read is left out of lists and named in the log', () => {
  fill(3)
  tamper("UPDATE audit SET kind = 'unheard-of' WHERE seq = 2")
  expect(
    profile
      .store()
      .audit.list({ limit: 9 })
      .map((row) => row.seq),
  ).toEqual([3, 1])
  expect(profile.logged).toHaveLength(1)
})

test('an unusable entry is refused and changes nothing', () => {
  const { audit } = profile.store()
  const circle: Record<string, unknown> = {}
  circle['self'] = circle
  expect(codeOf(() => audit.append({ kind: 'call', detail: circle as never }))).toBeInstanceOf(RangeError)
  expect([...audit.all()]).toEqual([])
})
