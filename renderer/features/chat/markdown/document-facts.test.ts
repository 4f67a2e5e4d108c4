import { describe, expect, it } from 'vitest'
import { growBlocks, growRuns, splitBlocks } from './block-pieces.ts'
import { markdownFactsOf, mostReferences, noMarkdownFacts } from './document-facts.ts'

const of = (text: string) => markdownFactsOf(growRuns([], splitBlocks(text)), noMarkdownFacts)

describe('the facts of a message', () => {
  it.each<[string, string, readonly string[], number]>([
    ['number footnotes in the order in which they are named', 'b[^b] a[^a]\n\n[^a]: A\n\n[^b]: B', ['b', 'a'], 6],
    ['leave out what is not defined, and what is not named', 'a[^a] c[^c]\n\n[^a]: A\n[^b]: B', ['a'], 6],
    ['look past code', '```\n[^a]: A\n# x\n```\n\nx[^a]', [], 6],
    ['number notes within the text among them', 'b^[B *b*] a[^a] c^[C [x](y)] `d^[D]`\n\n[^a]: A', ['^[B *b*]', 'a', '^[C [x](y)]'], 6],
    ['know the largest heading', 'text\n\n### Three\n\n## Two', [], 2],
    ['know a heading that is underlined', 'One\n===\n\n## Two', [], 1],
  ])('%s', (_title, text, labels, topHeading) => {
    expect([of(text).labels, of(text).topHeading]).toEqual([labels, topHeading])
  })

  it('number nothing where more is named than can be drawn anew at once', () => {
    const text = (references: number): string => `${'a[^a] '.repeat(references)}\n\n[^a]: A`
    expect(of(text(mostReferences))).toMatchObject({ labels: ['a'], unnumbered: new Set() })
    expect(of(text(mostReferences + 1))).toMatchObject({ labels: [], unnumbered: new Set(['a']) })
  })

  it('stay the same object while nothing of them changes', () => {
    const first = 'a[^a]\n\n[^a]: A\n\nmore'
    const blocks = growBlocks([], first)
    const runs = growRuns([], blocks)
    const facts = markdownFactsOf(runs, noMarkdownFacts)
    expect(markdownFactsOf(growRuns(runs, growBlocks(blocks, `${first} and more`)), facts)).toBe(facts)
  })
})
