import { expect, it } from 'vitest'
import { newTag } from '../server-process.ts'
import { type LedgerLine, ledgerLine, parseLedger } from './ledger-file.ts'

const [a, b, c] = [newTag(), newTag(), newTag()]
const host: LedgerLine = { kind: 'host', version: 1, boot: 'boot', pid: 10, start: 5 }
const text = (...lines: LedgerLine[]): string => lines.map(ledgerLine).join('')

it('tells what a host has started and has not seen the end of, also what it was only about to start', () => {
  const lines: LedgerLine[] = [
    host,
    { kind: 'expected', tag: a },
    { kind: 'started', tag: a, pid: 11, start: 6 },
    { kind: 'expected', tag: b },
    { kind: 'started', tag: b, pid: 12, start: 7 },
    { kind: 'ended', tag: a },
    { kind: 'expected', tag: c },
  ]
  expect(parseLedger(text(...lines))).toEqual({
    host: { boot: 'boot', pid: 10, start: 5 },
    entries: [
      { tag: b, leader: { pid: 12, start: 7 } },
      { tag: c, leader: undefined },
    ],
  })
})

it('tells until when a process is known to have run', () => {
  const lines: LedgerLine[] = [
    host,
    { kind: 'started', tag: a, pid: 11, start: 6, from: 5 },
    { kind: 'seen', tag: a, at: 9 },
    { kind: 'seen', tag: b, at: 9 },
  ]
  expect(parseLedger(text(...lines))?.entries).toEqual([{ tag: a, leader: { pid: 11, start: 6, from: 5 }, seen: 9 }])
})

it('reads past a last line that was cut off', () => {
  const whole = text(host, { kind: 'expected', tag: a })
  expect(parseLedger(whole + text({ kind: 'ended', tag: a }).slice(0, -9))).toEqual(parseLedger(whole))
})

it.each([
  ['nothing', ''],
  ['another text', 'hello\n'],
  ['a line that is broken', `${text(host)}{"kind":"star\n${text({ kind: 'expected', tag: a })}`],
  ['processes without a host', text({ kind: 'expected', tag: a })],
  ['two hosts', text(host, host)],
  ['the first of all processes', `${text(host)}{"kind":"started","tag":"${a}","pid":1,"start":1}\n`],
  ['a group that is everybody', `${text(host)}{"kind":"started","tag":"${a}","pid":-1,"start":1}\n`],
  ['a tag that is none', `${text(host)}{"kind":"expected","tag":""}\n`],
])('takes %s for no ledger', (_, content) => {
  expect(parseLedger(content)).toBeUndefined()
})
