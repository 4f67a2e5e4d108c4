import { describe, expect, test } from 'vitest'
import { seeded } from '#app/testing/seeded.ts'
import { LEAST_COVERED, type PlanItem, planCompaction, planLeaveOut } from './compaction-plan.ts'

function conversations(): { items: PlanItem[]; keep: number; mostCovered: number }[] {
  const chance = seeded(7)
  return Array.from({ length: 2000 }, (_, run) => ({
    items: Array.from({ length: Math.floor(chance() * 60) }, (__, index) => ({
      id: `${run}-${index}`,
      role: chance() < 0.3 ? 'user' : 'assistant',
      tokens: Math.floor(chance() ** 4 * 20_000),
    })),
    keep: Math.floor(chance() * 40_000),
    mostCovered: chance() < 0.5 ? Number.POSITIVE_INFINITY : Math.floor(chance() * 30_000),
  }))
}
const total = (items: readonly PlanItem[]): number => items.reduce((sum, { tokens }) => sum + tokens, 0)

describe('the cut of a compaction', () => {
  test('parts a conversation in two whole pieces, of which the newest message is in the one that stays', () => {
    for (const facts of conversations()) {
      const plan = planCompaction(facts)
      if (plan.kind === 'nothing') continue
      expect(facts.items[plan.count - 1]?.id).toBe(plan.until)
      expect(plan.count).toBeLessThan(facts.items.length)
      expect(plan.kept).toBe(total(facts.items.slice(plan.count)))
    }
  })

  test('leaves no more than is to be kept, unless the newest message alone is more or a summary cannot be made of all', () => {
    for (const facts of conversations()) {
      const plan = planCompaction(facts)
      if (plan.kind === 'nothing' || facts.mostCovered !== Number.POSITIVE_INFINITY) continue
      expect(plan.kept <= facts.keep || plan.count === facts.items.length - 1).toBe(true)
    }
  })

  test('finds nothing more to do once it was made', () => {
    for (const facts of conversations()) {
      const plan = planCompaction({ ...facts, mostCovered: Number.POSITIVE_INFINITY })
      const items = plan.kind === 'nothing' ? facts.items : facts.items.slice(plan.count)
      if (plan.kind === 'summarise') expect(planCompaction({ items, keep: facts.keep })).toEqual({ kind: 'nothing' })
    }
  })

  test('comes to an end in rounds where a summary can be made of so much only', () => {
    for (const facts of conversations()) {
      let items: readonly PlanItem[] = facts.items
      for (let round = 0; round <= facts.items.length; round += 1) {
        const plan = planCompaction({ ...facts, items })
        if (plan.kind === 'nothing') break
        expect(plan.count).toBeGreaterThan(0)
        items = items.slice(plan.count)
      }
      expect(planCompaction({ ...facts, items })).toEqual({ kind: 'nothing' })
    }
  })

  test('is made where the person speaks, if that keeps enough', () => {
    const items: PlanItem[] = ['user', 'assistant', 'user', 'assistant', 'assistant'].map((role, index) => ({
      id: String(index),
      role: role as PlanItem['role'],
      tokens: 1000,
    }))
    expect(planCompaction({ items, keep: 4000 })).toEqual({ kind: 'summarise', until: '1', count: 2, kept: 3000 })
  })

  test('goes through a turn where the turn alone is too long', () => {
    const items: PlanItem[] = Array.from({ length: 20 }, (_, index) => ({
      id: String(index),
      role: index === 0 ? 'user' : 'assistant',
      tokens: 1000,
    }))
    expect(planCompaction({ items, keep: 5000 })).toEqual({ kind: 'summarise', until: '14', count: 15, kept: 5000 })
  })

  test('is not made for what is hardly longer than its summary', () => {
    const items: PlanItem[] = [
      { id: 'a', role: 'user', tokens: LEAST_COVERED - 1 },
      { id: 'b', role: 'assistant', tokens: 50_000 },
    ]
    expect(planCompaction({ items, keep: 0 })).toEqual({ kind: 'nothing' })
  })
})

describe('the results that are left out', () => {
  test('are the oldest, no more than it takes, and none that is as short as the note in its place', () => {
    const results = [100, 5000, 50, 5000, 5000].map((tokens, index) => ({ call: { id: String(index) }, tokens }))
    expect(planLeaveOut(results, 6000)).toEqual(['1', '3'])
    expect(planLeaveOut(results, 1_000_000)).toEqual(['1', '3', '4'])
    expect(planLeaveOut(results, 0)).toEqual([])
  })
})
