import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { modeOf } from '#main/base/this-system.testing.ts'
import { openLogFile, streamLog } from './host-log.ts'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assent-log-'))
  path = join(folder, 'logs', 'assent.log')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a line is on disk as soon as it is written, in a file for the person alone', () => {
  const log = openLogFile(path)
  log.error('It failed', new Error('because'))
  expect([readFileSync(path, 'utf8').trimEnd().slice(25), modeOf(path, 0o600)]).toEqual(['assent error: It failed: because', 0o600])
  log.close()
})

test('a log that has grown large is put aside, and an older one replaced', () => {
  mkdirSync(join(folder, 'logs'))
  writeFileSync(path, 'x'.repeat(2_000_001))
  const log = openLogFile(path)
  log.info('new')
  expect([statSync(`${path}.1`).size, readFileSync(path, 'utf8').includes('new'), statSync(path).size < 100]).toEqual([
    2_000_001,
    true,
    true,
  ])
  log.close()
})

test('where no log can be written, everything goes on', () => {
  writeFileSync(join(folder, 'logs'), 'in the way')
  const echoed: string[] = []
  const log = openLogFile(path, { echo: { write: (text) => echoed.push(text) } })
  log.warn('still told')
  log.close()
  expect(echoed).toEqual(['assent warning: still told\n'])
})

test('a message is one line, whatever a server put into it', () => {
  const written: string[] = []
  const log = streamLog({ write: (text) => written.push(text) })
  log.error('It failed', new Error('bad\nassent info: all is well\u001b[2J\u009b\u202e'))
  expect(written).toEqual(['assent error: It failed: bad\\u{a}assent info: all is well\\u{1b}[2J\\u{9b}\\u{202e}\n'])
})
