import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SandboxAttempt } from '#app/server/sandbox/sandbox-report.ts'
import { openDatabase } from './database/database.ts'
import { migrate, readSchemaVersion } from './database/migrate.ts'
import { migrations, oldestVersion } from './database/schema.ts'
import { makeProfile, type TestProfile } from './store.testing.ts'

let profile: TestProfile
beforeEach(() => {
  profile = makeProfile()
})
afterEach(() => profile.dispose())

const reached: SandboxAttempt = {
  kind: 'host',
  target: 'api.example',
  port: 443,
  count: 3,
  firstAt: 1,
  lastAt: 9,
  tool: 'sync',
  callId: 'c',
}
const refused: SandboxAttempt = { kind: 'read', target: '/home/u/a', refused: 'not-granted', count: 1, firstAt: 5, lastAt: 8 }

test('a profile of before has the table, and no attempt', () => {
  const before = migrations.findIndex((step) => step.includes('sandbox_attempts'))
  const old = openDatabase(profile.path)
  old.prepareForWriting()
  migrate(old, migrations.slice(0, before), oldestVersion)
  expect(readSchemaVersion(old)).toBe(oldestVersion + before - 1)
  expect(() => old.get('SELECT * FROM sandbox_attempts')).toThrow()
  old.close()
  const { servers } = profile.store()
  expect(servers.attempts('notes', 0)).toEqual([])
  servers.changeAttempts('notes', { put: [reached], drop: [] })
  expect(profile.reopen().servers.attempts('notes', 0)).toEqual([reached])
})

test('attempts are put, replaced and dropped by target and outcome, and old ones end', () => {
  const { servers } = profile.store()
  servers.changeAttempts('notes', { put: [reached, refused], drop: [] })
  servers.changeAttempts('notes', { put: [{ ...refused, count: 2, lastAt: 10 }], drop: [{ ...reached, refused: 'denied' }] })
  expect(servers.attempts('notes', 0)).toEqual([{ ...refused, count: 2, lastAt: 10 }, reached])
  expect(servers.attempts('notes', 9)).toEqual([{ ...refused, count: 2, lastAt: 10 }])
  expect(servers.attempts('notes', 0)).toHaveLength(1)
  servers.changeAttempts('notes', { put: [], drop: [refused] })
  expect(servers.attempts('notes', 0)).toEqual([])
})

test('attempts move with the name of a server, in place of what another of that name left', () => {
  const { servers } = profile.store()
  servers.changeAttempts('notes', { put: [reached], drop: [] })
  servers.changeAttempts('diary', { put: [refused], drop: [] })
  servers.rename('notes', 'diary')
  expect([servers.attempts('notes', 0), servers.attempts('diary', 0)]).toEqual([[], [reached]])
})
