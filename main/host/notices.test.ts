import { expect, it } from 'vitest'
import { HostError } from '#app/errors.ts'
import type { BudgetUsage } from '#app/models/usage.ts'
import type { ProfileNotice } from '#app/profile-notice.ts'
import type { ConfigProblem } from '#app/server/definition.ts'
import type { Clock } from '#main/base/clock.ts'
import { createProfileNotices } from './notices.ts'

function makeNotices(secretsInMemory = false) {
  const timers = new Set<() => void>()
  const clock: Clock = {
    now: () => 0,
    after(_ms, callback) {
      timers.add(callback)
      return () => timers.delete(callback)
    },
  }
  const told: ProfileNotice[][] = []
  const disk: { full: boolean } = { full: false }
  let problems: ConfigProblem[] = []
  let budget: BudgetUsage | undefined
  const notices = createProfileNotices({
    safe: false,
    config: { problems: () => problems },
    secretsInMemory: () => secretsInMemory,
    signed: () => undefined,
    update: () => undefined,
    emit: (_name, payload) => void told.push((payload as { notices: ProfileNotice[] }).notices),
    clock,
    budget: () => budget,
    tryWrite() {
      if (disk.full) throw new HostError('disk.full', 'full')
    },
  })
  return {
    notices,
    told,
    disk,
    timers,
    setProblems: (next: ConfigProblem[]) => {
      problems = next
    },
    setBudget: (next: BudgetUsage | undefined) => {
      budget = next
    },
    tick() {
      for (const callback of [...timers]) {
        timers.delete(callback)
        callback()
      }
    },
  }
}

it('shows a full disk until a write succeeds', () => {
  const { notices, told, disk, tick, timers } = makeNotices()
  disk.full = true
  notices.onError(new HostError('disk.full', 'full'))
  notices.onError(new HostError('disk.full', 'full'))
  tick()
  disk.full = false
  tick()
  expect(told.map((list) => list.map(({ kind }) => kind))).toEqual([['error'], []])
  expect(timers.size).toBe(0)
})

it('takes no other error for a notice', () => {
  const { notices, timers } = makeNotices()
  notices.onError(new HostError('model.offline', 'offline'))
  notices.onError(new Error('other'))
  expect([notices.list(), timers.size]).toEqual([[], 0])
})

it('tells of config problems once, and when they are mended', () => {
  const { notices, told, setProblems } = makeNotices()
  setProblems([{ file: 'servers.json', line: 3, message: 'wrong', remedy: 'mend it' }])
  notices.refresh()
  notices.refresh()
  setProblems([])
  notices.refresh()
  expect(told.map((list) => list.length)).toEqual([1, 0])
})

it('says that secrets are in memory', () => {
  expect(makeNotices(true).notices.list()).toEqual([{ kind: 'secrets-in-memory' }])
})

it('leaves no timer behind', () => {
  const { notices, timers } = makeNotices()
  notices.onError(new HostError('profile.unwritable', 'read-only'))
  notices.dispose()
  expect(timers.size).toBe(0)
})

it('tells of a month’s budget that is nearly used, once for each change of it', () => {
  const { notices, told, setBudget } = makeNotices()
  const use: BudgetUsage = { budget: { unit: 'dollars', amount: 10 }, used: 8, level: 'near' }
  setBudget(use)
  notices.refresh()
  notices.refresh()
  setBudget(undefined)
  notices.refresh()
  expect(told).toEqual([[{ kind: 'budget', ...use }], []])
})

it('goes on to say that a part of the profile is damaged, also beside a disk that is full for a while', () => {
  const { notices, told, tick } = makeNotices()
  notices.onError(new HostError('profile.corrupt', 'a backup that was chosen'))
  notices.onDamage(new HostError('profile.corrupt', 'damaged'))
  notices.onError(new HostError('disk.full', 'full'))
  tick()
  const codes = (list: readonly ProfileNotice[]) => list.map((notice) => (notice.kind === 'error' ? notice.error.code : notice.kind))
  expect(told.map(codes)).toEqual([['profile.corrupt'], ['disk.full', 'profile.corrupt'], ['profile.corrupt']])
})
