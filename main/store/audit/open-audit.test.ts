import { readdirSync, readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { silentLog } from '#main/base/host-log.ts'
import { codeOf, makeProfile, type TestProfile } from '../store.testing.ts'
import { openAudit } from './audit.ts'

let profile: TestProfile
beforeEach(() => {
  profile = makeProfile()
})
afterEach(() => profile.dispose())
const open = (dataDir = profile.dataDir) => openAudit({ dataDir, log: silentLog })

it('reads a record that is being written, as it was when it was opened', () => {
  const { audit } = profile.store()
  audit.append({ kind: 'config', decision: 'saved', by: 'person' })
  const record = open()
  audit.append({ kind: 'config', decision: 'saved', by: 'person' })
  expect([[...record.all()].length, record.verify()]).toEqual([1, undefined])
  record.close()
  const later = open()
  expect([[...later.all()].length, later.verify()]).toEqual([2, undefined])
  later.close()
})

it('reads the record of a profile that nobody uses, and changes nothing in its file', () => {
  profile.store().audit.append({ kind: 'config', decision: 'saved', by: 'person' })
  profile.store().close()
  const before = readFileSync(profile.path)
  const record = open()
  expect([...record.all()]).toHaveLength(1)
  record.close()
  expect(readFileSync(profile.path).equals(before)).toBe(true)
})

it('refuses a profile of a newer version, also one that only the write-ahead log shows', () => {
  profile.store().close()
  const writer = new DatabaseSync(profile.path)
  writer.exec('PRAGMA wal_autocheckpoint = 0; PRAGMA user_version = 99')
  expect(codeOf(open)).toBe('profile.newer')
  writer.close()
  expect(codeOf(open)).toBe('profile.newer')
})

it('makes no profile where there is none', () => {
  expect(codeOf(open)).toBe('profile.missing')
  expect(readdirSync(profile.dataDir)).toEqual([])
})
