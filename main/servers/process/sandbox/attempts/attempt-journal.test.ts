import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { SandboxAttempt } from '#app/server/sandbox/sandbox-report.ts'
import { manualClock } from '#main/base/manual-clock.testing.ts'
import { makeProfile, type TestProfile } from '#main/store/store.testing.ts'
import { createAttemptJournal } from './attempt-journal.ts'

let profile: TestProfile
beforeEach(() => {
  profile = makeProfile()
})
afterEach(() => profile.dispose())

const day = 24 * 60 * 60_000
const blocked = (target: string, more: Partial<SandboxAttempt> = {}) =>
  ({ kind: 'host', target, port: 443, refused: 'not-granted', ...more }) as const

function makeJournal(clock = manualClock(), server = 'notes') {
  const told: (readonly SandboxAttempt[])[] = []
  const failed: unknown[] = []
  const { servers: store } = profile.store()
  const changes = vi.spyOn(store, 'changeAttempts')
  const options = { server, store, clock, onUnwritten: (error: unknown) => failed.push(error) }
  const journal = createAttemptJournal({ ...options, onChange: (attempts) => told.push(attempts) })
  return { clock, journal, told, failed, changes }
}

const targets = (attempts: readonly SandboxAttempt[]): string[] => attempts.map(({ target, count }) => `${target} ${count}`)

test('attempts are counted by target and outcome, and outlive the store', () => {
  const { clock, journal } = makeJournal()
  journal.add(blocked('a.example', { tool: 'sync', callId: 'c1' }))
  clock.advance(10)
  journal.add(blocked('a.example'))
  journal.add({ kind: 'host', target: 'a.example', port: 443 })
  journal.add({ kind: 'write', target: '/home/u/notes', refused: 'not-granted' })
  journal.flush()
  profile.reopen()
  const listed = makeJournal(clock).journal.list()
  expect(listed).toHaveLength(3)
  const now = clock.now()
  expect(listed).toContainEqual({ ...blocked('a.example'), count: 2, firstAt: now - 10, lastAt: now })
  expect(listed).toContainEqual({ kind: 'host', target: 'a.example', port: 443, count: 1, firstAt: now, lastAt: now })
  expect(listed).toContainEqual({ kind: 'write', target: '/home/u/notes', refused: 'not-granted', count: 1, firstAt: now, lastAt: now })
})

test('a flood is 200 rows, the first and the latest, a write a batch, and 20 in an event', () => {
  const { clock, journal, told, changes } = makeJournal()
  for (let n = 0; n < 10_000; n += 1) journal.add(blocked(`h${n}.example`))
  expect(changes).not.toHaveBeenCalled()
  clock.advance(250)
  expect([changes.mock.calls.length, told.length, told[0]?.length, journal.list().length, journal.lost()]).toEqual([1, 1, 20, 200, 9800])
  const names = journal.list().map(({ target }) => target)
  expect([names[0], names.at(-1), names.includes('h119.example'), names.includes('h120.example')]).toEqual([
    'h9999.example',
    'h0.example',
    true,
    false,
  ])
  expect(profile.store().servers.attempts('notes', 0)).toHaveLength(200)
})

test('attempts end after seven days', () => {
  const { clock, journal } = makeJournal()
  journal.add(blocked('old.example'))
  clock.advance(4 * day)
  journal.add(blocked('new.example'))
  clock.advance(3 * day)
  expect(targets(journal.list())).toEqual(['new.example 1'])
  journal.flush()
  expect(targets(makeJournal(clock).journal.list())).toEqual(['new.example 1'])
})

test('what is kept blocked is not new again; what is allowed is no longer listed as refused', () => {
  const { clock, journal } = makeJournal()
  journal.add(blocked('ads.example'))
  journal.add(blocked('api.example'))
  expect(journal.unanswered()).toBe(2)
  journal.answered({ kind: 'host', target: 'ads.example', port: 443 }, 'denied')
  journal.answered({ kind: 'host', target: 'api.example', port: 443 }, undefined)
  journal.add(blocked('ads.example'))
  expect([journal.unanswered(), targets(journal.list())]).toEqual([0, ['ads.example 2']])
  journal.flush()
  expect(makeJournal(clock).journal.list()[0]).toMatchObject({ target: 'ads.example', refused: 'denied', count: 2 })
})

test('clearing removes all of one server, also what waits to be written', () => {
  const { clock, journal, told } = makeJournal()
  const other = makeJournal(clock, 'files').journal
  other.add(blocked('a.example'))
  journal.add(blocked('a.example'))
  journal.clear()
  clock.advance(1000)
  expect([journal.list(), told.at(-1), profile.store().servers.attempts('notes', 0).length]).toEqual([[], [], 0])
  expect(profile.store().servers.attempts('files', 0)).toHaveLength(1)
})

test('a full disk loses nothing of this run', () => {
  const { clock, journal, changes, failed } = makeJournal()
  changes.mockImplementationOnce(() => {
    throw new Error('full')
  })
  journal.add(blocked('a.example'))
  clock.advance(250)
  expect([failed.length, targets(journal.list())]).toEqual([1, ['a.example 1']])
})
