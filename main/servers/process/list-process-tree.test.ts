import { describe, expect, it } from 'vitest'
import { millisecondsOf, type ProcessFacts, treeOf } from './list-process-tree.ts'

const one = (pid: number, parent: number, group: number): ProcessFacts => ({
  pid,
  parent,
  group,
  start: 1,
  command: '',
  memory: 0,
  cpuMs: 0,
})
const pids = (facts: readonly ProcessFacts[]): number[] => facts.map(({ pid }) => pid)

describe('the processes of a server', () => {
  it('are its own, its descendants whatever their group, the rest of its group, and what it is known by otherwise', () => {
    const all = [
      one(1, 0, 1),
      one(99, 1, 99),
      one(14, 1, 14),
      one(12, 11, 12),
      one(10, 99, 10),
      one(13, 1, 10),
      one(11, 10, 10),
      one(15, 14, 14),
    ]
    expect(pids(treeOf(10, all, new Set([14])))).toEqual([10, 11, 12, 14, 15, 13])
  })

  it('are none when it is gone, and bounded', () => {
    expect(treeOf(10, [one(1, 0, 1)])).toEqual([])
    const many = Array.from({ length: 1000 }, (_, index) => one(11 + index, 10, 10))
    expect(treeOf(10, [one(10, 1, 10), ...many]).length).toBe(200)
  })

  it.each([
    ['00:00:01', 1000],
    ['1:02.50', 62_500],
    ['01:02:03', 3_723_000],
    ['2-00:00:00', 172_800_000],
  ])('have had %s of a processor: %i ms', (time, ms) => {
    expect(millisecondsOf(time)).toBe(ms)
  })
})
