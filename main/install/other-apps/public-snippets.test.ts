import { describe, expect, it } from 'vitest'
import { judge, type PublicSnippet, publicSnippets } from './public-snippets.testing.ts'

const titled = (snippets: readonly PublicSnippet[]) =>
  snippets.map((snippet, index) => [`${index + 1} ${snippet.source}: ${snippet.text.split('\n')[0]?.slice(0, 60)}`, snippet] as const)

describe('public snippets', () => {
  it('come from many sources, at most 15 of one', () => {
    const all = [...publicSnippets('corpus'), ...publicSnippets('held-out')]
    const counts = new Map<string, number>()
    for (const { source } of all) {
      const from = source.split(' ')[0] ?? ''
      counts.set(from, (counts.get(from) ?? 0) + 1)
    }
    expect(all.length).toBeGreaterThanOrEqual(400)
    expect(Math.max(...counts.values())).toBeLessThanOrEqual(15)
  })

  it.each(['corpus', 'held-out'] as const)('are read exactly, or refused for the right reason: %s', (set) => {
    const outcomes = publicSnippets(set).map((snippet) => judge(snippet).outcome)
    const right = outcomes.filter((outcome) => outcome === 'exact' || outcome === 'refused').length
    expect(right / outcomes.length).toBeGreaterThanOrEqual(0.98)
    expect(outcomes.filter((outcome) => outcome === 'silent')).toEqual([])
  })

  it.each(titled(publicSnippets('corpus')))('%s', (_, snippet) => {
    const { outcome, found, said } = judge(snippet)
    expect({ outcome, found, said }).toMatchObject({ outcome: snippet.refused === undefined ? 'exact' : 'refused' })
  })
})
