import { expect, it } from 'vitest'
import { missed, promised } from './limits.ts'
import type { Row } from './row.ts'

const row = (figures: Partial<Row>): Row => ({ fault: 'f', reps: 1, detected: [], lost: 0, orphans: 0, wrong: [], ...figures })
const count = (figures: Partial<Row>): number => missed(row(figures)).length

it('a figure is held to what is promised of it', () => {
  const { noticedMs, peersP99Ms, grownBytes } = promised
  const good = { detected: [noticedMs], withinMs: noticedMs, peers: [peersP99Ms], grown: grownBytes }
  expect(count(good)).toBe(0)
  expect(count({ ...good, detected: [1, noticedMs + 1] })).toBe(1)
  expect(count({ ...good, peers: [peersP99Ms + 1] })).toBe(1)
  expect(count({ ...good, grown: grownBytes + 1 })).toBe(1)
})

it('a figure of which nothing is promised, or that was not taken, fails nothing', () => {
  expect(count({ detected: [60_000] })).toBe(0)
  expect(count({ withinMs: 1, peers: [] })).toBe(0)
})
