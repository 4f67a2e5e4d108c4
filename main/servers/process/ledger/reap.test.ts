import { expect, it } from 'vitest'
import type { TaggedProcess } from '../process-table.ts'
import { newTag } from '../server-process.ts'
import type { LedgerContent } from './ledger-file.ts'
import { isGone, leftBehind, reap, targets } from './reap.ts'

const [tag, expected, strange] = [newTag(), newTag(), newTag()]
const content: LedgerContent = {
  host: { boot: 'b', pid: 100, start: 50 },
  entries: [
    { tag, leader: { pid: 200, start: 60 } },
    { tag: expected, leader: undefined },
  ],
}
const running = (pid: number, start: number, more: Partial<TaggedProcess> = {}): TaggedProcess => ({ pid, start, group: 200, tag, ...more })

it.each([
  ['has the same start', 50, 'b', false],
  ['is another by now', 51, 'b', true],
  ['is not there', undefined, 'b', true],
  ['was there before the machine was started anew', 50, 'c', true],
])('a host whose number %s', (_, start, boot, gone) => {
  expect(isGone(content, { boot, start: () => start })).toBe(gone)
})

it('knows its own by tag and start, and takes nobody else for them', () => {
  const own = [running(200, 60), running(201, 60), running(300, 99, { group: 300 }), running(400, 55, { tag: expected, group: 400 })]
  const others = [
    running(200, 61), // Its number was given to another.
    running(301, 59), // Was there before.
    running(302, 70, { tag: strange }),
    running(401, 49, { tag: expected }), // Was there before the host.
    running(process.pid, 70),
  ]
  expect(leftBehind(content, 'b', [...others, ...own])).toEqual(own)
  expect(leftBehind(content, 'another', own)).toEqual([])
})

it('signals a group only while one of ours is in it, and each other by itself', () => {
  const found = [running(200, 60), running(201, 60), running(300, 99, { group: 300 }), running(400, 55, { tag: expected, group: 400 })]
  expect(targets(content, found)).toEqual([-200, 300, 400])
  expect(targets(content, [running(300, 99, { group: 300 })])).toEqual([300])
})

it('asks first, then kills, and says what would not end', async () => {
  const sent: [number, string][] = []
  let left = [running(200, 60), running(300, 99, { group: 300 })]
  const table = { boot: 'b', start: () => undefined, tagged: () => left }
  const outcome = await reap(content, {
    table,
    grace: 1,
    signal(pid, name) {
      sent.push([pid, name])
      if (name === 'SIGTERM') left = left.filter(({ group }) => group !== -pid)
      else if (pid === 300) left = [running(301, 100, { group: 301 })]
      return true
    },
  })
  expect(sent.slice(0, 4)).toEqual([
    [-200, 'SIGTERM'],
    [300, 'SIGTERM'],
    [300, 'SIGKILL'],
    [301, 'SIGKILL'],
  ])
  expect(outcome).toEqual({ found: 3, left: 1 })
})
