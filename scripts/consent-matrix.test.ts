// docs/consent-matrix.md: every kind of request × every way it can end, each with the walk that shows it or why there is none.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { cells, unknownTests } from './cited-tests.ts'

const asked = ['elicitation form', 'elicitation URL', 'sampling request', 'sampling result', 'roots']
const own = ['tool call', 'changed definition', 'server launch', 'sign-in', 'config import']
const outcomes = ['approved', 'edited', 'denied', 'answered after a reload', 'answered from a second window']
const ends = ['set aside (`cancel`)', 'cancelled by the server', 'withdrawn when the server dies']

const text = readFileSync(join(resolve(import.meta.dirname, '..'), 'docs/consent-matrix.md'), 'utf8')
const rows = text
  .split('\n')
  .filter((line) => /^\| (?!Kind)[a-z]/.test(line))
  .map((line) => {
    const [kind = '', era = '', outcome = '', shown = ''] = cells(line)
    return { kind, era, outcome, shown }
  })

it('leaves out no kind, and of none a way it can end', () => {
  expect(new Set(rows.map(({ kind }) => kind))).toEqual(new Set([...asked, ...own]))
  for (const kind of [...asked, ...own]) {
    const there = rows.filter((row) => row.kind === kind).map(({ outcome }) => outcome)
    expect(there, kind).toEqual(expect.arrayContaining([...outcomes, ...(asked.includes(kind) ? ends : [])]))
    expect(
      there.some((outcome) => /^(withdrawn|cancelled)/.test(outcome)),
      kind,
    ).toBe(true)
  }
})

it('has both eras of whatever a server asks', () => {
  for (const kind of asked)
    for (const outcome of [...outcomes, ...ends]) {
      const eras = rows.filter((row) => row.kind === kind && row.outcome === outcome).map(({ era }) => era)
      expect(new Set(eras), `${kind}, ${outcome}`).toEqual(new Set(eras.includes('both') ? ['both'] : ['2025-11-25', '2026-07-28']))
    }
})

it.each(rows)('$kind, $era, $outcome: names walks that are there, or says why none applies', ({ shown }) => {
  const why = /^—: [^`]/.test(shown)
  const cited = why ? /`e2e\/.*/.exec(shown)?.[0] : shown
  expect(why || cited !== '').toBe(true)
  expect(cited === undefined ? [] : unknownTests(cited)).toEqual([])
})
