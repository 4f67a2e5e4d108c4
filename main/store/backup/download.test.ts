import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { manualClock } from '#main/base/manual-clock.testing.ts'
import { createBackupDownloads } from './download.ts'

let dataDir: string
let path: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'assent-given-'))
  mkdirSync(join(dataDir, 'backups'))
  path = join(dataDir, 'backups', 'my "1".db')
  writeFileSync(path, 'all of it')
  writeFileSync(join(dataDir, 'servers.json'), 'not for this')
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const clock = manualClock()
const given = () => createBackupDownloads(join(dataDir, 'assent.db'), clock)

it('gives a backup of the list once, whole, under a name of plain characters', async () => {
  const { offer, take } = given()
  const ticket = offer(path)
  const taken = take(ticket)
  expect([taken?.name, taken?.bytes, taken && (await text(taken.content))]).toEqual(['my__1_.db', 9, 'all of it'])
  expect(take(ticket)).toBeUndefined()
})

it('gives nothing that the list does not show, for no ticket but its own, and nothing after a minute', () => {
  const { offer, take } = given()
  for (const other of [join(dataDir, 'servers.json'), `${path}/../../servers.json`, '/etc/passwd'])
    expect(() => offer(other)).toThrow(expect.objectContaining({ code: 'backup.gone' }))
  expect(take('x'.repeat(43))).toBeUndefined()
  const late = offer(path)
  clock.advance(61_000)
  expect(take(late)).toBeUndefined()
  const removed = offer(path)
  rmSync(path)
  expect(take(removed)).toBeUndefined()
})
