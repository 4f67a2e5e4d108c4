import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { manualClock } from '#main/base/manual-clock.testing.ts'
import { clearLeftovers, noteBegun } from './unfinished-backups.ts'
import { type BackupPart, type BackupUploadOptions, createBackupUploads } from './upload.ts'

let dataDir: string
let folder: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'assent-received-'))
  folder = join(dataDir, 'backups')
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const clock = manualClock()
const receive = (options: Partial<BackupUploadOptions> = {}) => createBackupUploads({ folder, clock, freeIn: () => 1024 ** 3, ...options })
const head = Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(84)])
const part = (other: Partial<BackupPart> = {}): BackupPart => ({ upload: 'u', name: 'mine.db', at: 0, total: 200, bytes: head, ...other })
const left = (): string[] => readdirSync(folder)

it('is there once all of its parts are', async () => {
  const received = receive()
  await received.part(part())
  expect(() => received.find('u')).toThrow(expect.objectContaining({ code: 'backup.gone' }))
  await received.part(part({ at: 100, bytes: Buffer.alloc(100) }))
  expect(received.find('u').called).toBe('mine.db')
  await received.forget('u')
  expect(left()).toEqual([])
})

// As TUS has it for uploads (tus.io, resumable upload protocol 1.0, PATCH): what was written before an answer was lost is not refused.
it('takes a part that comes again, since its answer was lost with the link, as the one that it has', async () => {
  const received = receive()
  await Promise.all([received.part(part()), received.part(part())])
  await received.part(part({ at: 100, bytes: Buffer.alloc(100) }))
  await received.part(part({ at: 100, bytes: Buffer.alloc(100) }))
  expect(statSync(received.find('u').path).size).toBe(200)
  await received.forget('u')
})

it.each<[string, string, Partial<BackupPart>[], Partial<BackupUploadOptions>]>([
  ['what is no database, at its first part', 'backup.unreadable', [part({ bytes: Buffer.alloc(100) })], {}],
  ['more than it said', 'backup.gone', [part(), part({ at: 100, bytes: Buffer.alloc(101) })], {}],
  ['a part in the wrong place', 'backup.gone', [part(), part({ at: 150, bytes: Buffer.alloc(50) })], {}],
  ['a part of what never began', 'backup.gone', [part({ at: 100 })], {}],
  ['one larger than the limit', 'backup.too-large', [part()], { largest: 199 }],
  ['one that would fill the disk', 'backup.too-large', [part()], { freeIn: () => 1024 }],
])('refuses %s, and keeps nothing of it', async (_what, code, parts, options) => {
  const received = receive(options)
  let failed: unknown
  for (const one of parts) await received.part(part(one)).catch((error: unknown) => (failed = error))
  expect(failed).toMatchObject({ code })
  expect(left()).toEqual([])
})

it('lets the oldest go for more than two, and each that nobody goes on with', async () => {
  const received = receive()
  for (const upload of ['a', 'b', 'c']) await received.part(part({ upload }))
  expect(left()).toHaveLength(2)
  await expect(received.part(part({ upload: 'a', at: 100 }))).rejects.toMatchObject({ code: 'backup.gone' })
  clock.advance(11 * 60_000)
  await expect.poll(left).toEqual([])
})

it('a start clears away what an ended host had begun, wherever that was, and nothing else', () => {
  const database = join(dataDir, 'assent.db')
  const elsewhere = join(dataDir, 'stick')
  mkdirSync(elsewhere)
  const begun = join(elsewhere, 'assent-1.db.part')
  noteBegun(database, begun)
  noteBegun(database, join(elsewhere, 'diary.txt'))
  const rest = [begun, `${begun}-journal`, join(elsewhere, 'diary.txt'), `${database}.restore.part`]
  const own = ['x.received', 'x.received-wal', 'assent-2.db', 'assent-2.db.part'].map((name) => join(folder, name))
  for (const path of [...rest, ...own, database]) writeFileSync(path, 'bytes')
  clearLeftovers(database)
  expect([...rest, ...own, database].filter((path) => existsSync(path))).toEqual([
    join(elsewhere, 'diary.txt'),
    join(folder, 'assent-2.db'),
    database,
  ])
  expect(left()).toEqual(['assent-2.db'])
})
