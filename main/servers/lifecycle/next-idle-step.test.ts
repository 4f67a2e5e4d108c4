import { expect, it } from 'vitest'
import { type IdleFacts, type IdleStep, nextIdleStep } from './idle-stop.ts'

const minute = 60_000

it.each<[string, Partial<IdleFacts>, IdleStep]>([
  ['is never stopped unless its definition says so', { idleMinutes: undefined, now: 1000 * minute }, { kind: 'never' }],
  ['is looked at again when its time would be over', { now: 4 * minute }, { kind: 'look', afterMs: 6 * minute }],
  ['is looked at again a moment before', { now: 10 * minute - 1 }, { kind: 'look', afterMs: 1 }],
  ['is stopped when it was not used for so long', { now: 10 * minute }, { kind: 'stop' }],
  ['is stopped when the clock has leapt', { now: 1000 * minute }, { kind: 'stop' }],
  ['has all its time before it while it is needed', { now: 1000 * minute, needed: true }, { kind: 'look', afterMs: 10 * minute }],
  ['counts from its last use', { now: 11 * minute, usedAt: 5 * minute }, { kind: 'look', afterMs: 4 * minute }],
])('a server %s', (_, facts, step) => {
  expect(nextIdleStep({ now: 0, usedAt: 0, needed: false, idleMinutes: 10, ...facts })).toEqual(step)
})
