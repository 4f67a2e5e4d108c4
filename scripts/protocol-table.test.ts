// docs/protocol: each requirement of the protocol's texts with the test that shows it. The tables are held to it here: no
// requirement without a test that exists (or, for a SHOULD, a plain reason), no number twice, and no word of a text
// skipped: the MUSTs and SHOULDs of each section are counted, and its rows and notes must account for every one.
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cells, unknownTests } from './cited-tests.ts'

const root = resolve(import.meta.dirname, '..')
const folder = join(root, 'docs/protocol')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

type Counts = Readonly<Record<string, number>>

interface Row {
  readonly id: string
  readonly word: string
  readonly requirement: string
  readonly does: string
  readonly test: string
}

interface Section {
  readonly title: string
  /** How often each word stands there; undefined: the section is none of the text. */
  readonly words: Counts | undefined
  /** Of these, what notes account for: words that bind servers, are said twice, or are no requirement. */
  readonly noted: Counts
  readonly rows: readonly Row[]
}

const add = (...all: readonly Counts[]): Counts => {
  const sum: Record<string, number> = {}
  for (const counts of all) for (const [word, count] of Object.entries(counts)) sum[word] = (sum[word] ?? 0) + count
  return sum
}

/** `MUST 7, SHOULD 2` */
const readCounts = (text: string): Counts =>
  Object.fromEntries([...text.matchAll(/\b(MUST|SHOULD|REQUIRED|must|should) (\d+)/g)].map(([, word, count]) => [word, Number(count)]))

/** `MUST NOT` is a MUST, `2 × SHOULD` two, `(SHOULD)` goes on under the word of the row before, `—` has none. */
function countOf(word: string): Counts {
  if (word === '—' || word.startsWith('(')) return {}
  const [, times = '1', key = word] = /^(?:(\d+) × )?(MUST|SHOULD|REQUIRED|must|should)(?: NOT| not)?$/.exec(word) ?? []
  return { [key]: Number(times) }
}

function readSection(text: string): Section {
  const lines = text.split('\n')
  const counted = lines.find((line) => line.startsWith('Lines '))
  const notes = lines.filter((line) => /^(Servers only|Said again|No requirement): /.test(line))
  const rows = lines
    .filter((line) => /^\| [A-FX]-/.test(line))
    .map((line): Row => {
      const [id = '', word = '', requirement = '', , does = '', test = ''] = cells(line)
      return { id, word, requirement, does, test }
    })
  return {
    title: lines[0] ?? '',
    words: counted === undefined ? undefined : readCounts(counted),
    noted: add({}, ...notes.map((line) => readCounts(/^[^.]*/.exec(line)?.[0] ?? ''))),
    rows,
  }
}

const texts = readdirSync(folder).map((name) => {
  const [, ...sections] = read(`docs/protocol/${name}`).split(/^## /m)
  return { name, sections: sections.map(readSection) }
})
const rows = texts.flatMap(({ sections }) => sections.flatMap((section) => section.rows))

const missing = '—'
it('numbers are not given twice', () => {
  const ids = rows.map(({ id }) => id)
  expect(ids.length).toBeGreaterThan(200)
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
})

it.each(rows.map((row) => [row.id, row] as const))('%s names tests that are there, or says plainly why it is not followed', (_id, row) => {
  expect(row.requirement).not.toBe('')
  expect(row.does).not.toBe('')
  if (row.test === missing) {
    expect(row.word).toMatch(/SHOULD|should/)
    expect(row.does).toMatch(/^\*\*Not followed\.\*\* ./)
    return
  }
  expect(unknownTests(row.test)).toEqual([])
})

describe.each(texts)('$name', ({ name, sections }) => {
  const counted = sections.filter(({ words }) => words !== undefined)

  it.each(counted.map((section) => [section.title, section] as const))('%s: each of its words is accounted for', (_title, section) => {
    expect(add(section.noted, ...section.rows.map(({ word }) => countOf(word)))).toEqual(section.words)
  })

  it('is in the index with the sums of its sections', () => {
    const line = read('docs/protocol.md')
      .split('\n')
      .find((each) => each.includes(`(protocol/${name})`))
    const [, , , ...sums] = cells(line ?? '')
    const words = add({}, ...counted.map((section) => section.words ?? {}))
    const requirements = sections.flatMap((section) => section.rows).length
    const expected = ['MUST', 'SHOULD', 'REQUIRED', 'must', 'should'].map((word) => words[word] ?? 0)
    expect(sums.map(Number)).toEqual([...expected, requirements])
  })
})

it('the index names what is not followed', () => {
  const list =
    read('docs/protocol.md')
      .split(/^## /m)
      .find((part) => part.startsWith('What is not followed')) ?? ''
  const told = [...list.matchAll(/\b[A-FX]-[a-z-]+-\d+/g)].map(([id]) => id)
  expect(new Set(told)).toEqual(new Set(rows.filter(({ test }) => test === missing).map(({ id }) => id)))
})
