import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDatabase } from '../database/database.ts'
import { makeProfile, type TestProfile } from '../store.testing.ts'

let profile: TestProfile
let other: TestProfile
beforeEach(() => {
  profile = makeProfile()
  other = makeProfile()
})
afterEach(() => {
  profile.dispose()
  other.dispose()
})

test('a brought approval that keeps no program is for that of its own profile, not for whatever has the name here', async () => {
  const target = { transport: 'stdio' as const, command: 'c', args: [], envNames: [] }
  const rule = { id: 'r', effect: 'allow' as const, scope: { kind: 'always' as const }, createdAt: 1 }
  const there = other.store().rules
  there.put({ ...rule, id: 'of notes', server: 'notes' })
  there.put({ ...rule, id: 'of docs', server: 'docs' })
  there.put({ ...rule, id: 'no', effect: 'deny', server: 'docs' })
  there.putLaunch('notes', { fingerprint: 'theirs', target, digests: [] })
  const file = join(other.dataDir, 'theirs.db')
  await other.store().backup.write(file)
  for (const server of ['notes', 'docs']) profile.store().rules.putLaunch(server, { fingerprint: 'ours', target, digests: [] })
  await profile.store().backup.stage({ path: file }, ['rules'])
  const { rules } = profile.reopen()
  expect([rules.list().map(({ id, program }) => [id, program]), rules.launch('notes')?.fingerprint]).toEqual([
    [
      ['of notes', 'theirs'],
      ['of docs', ''],
      ['no', undefined],
    ],
    'ours',
  ])
})

test.each<[string, ('folders' | 'launches')[], object]>([
  ['without launches the server asks again', ['folders'], []],
  ['with the launch of its program it is told', ['folders', 'launches'], [{ uris: ['file:///theirs'] }]],
])('folders that a server of the backup was told of: %s', async (_name, bring, told) => {
  other.store().rules.addSharedFolders('notes', { uris: ['file:///theirs'] })
  const file = join(other.dataDir, 'theirs.db')
  await other.store().backup.write(file)
  await profile.store().backup.stage({ path: file }, bring)
  expect(profile.reopen().rules.sharedFolders('notes')).toEqual(told)
})

test('a backup that was changed after the person had looked at it is not staged', async () => {
  const file = join(other.dataDir, 'theirs.db')
  await other.store().backup.write(file)
  const { backup } = profile.store()
  const { digest } = await backup.check({ path: file })
  const changed = openDatabase(file)
  changed.exec("INSERT INTO rules (id, server, body) VALUES ('evil', 'bank', '{}')")
  changed.close()
  await expect(backup.stage({ path: file }, ['rules'], digest)).rejects.toMatchObject({ code: 'backup.gone' })
  expect(backup.isStaged()).toBe(false)
  const again = await backup.check({ path: file })
  expect(await backup.stage({ path: file }, ['rules'], again.digest)).toMatchObject({ conversations: 0 })
})
