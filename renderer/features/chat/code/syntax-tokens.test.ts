import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextToColour } from './code-block.tsx'
import { colourCode } from './grammars.ts'
import { codeRuns, keepAlike, tokenRuns } from './syntax-tokens.ts'

const joined = (tokens: readonly { text: string }[]): string => tokens.map(({ text }) => text).join('')
const source = fc.array(
  fc.constantFrom('const a', '/*', '*/', '`', '${', '}', '\n', '\n\n', '"', "'", '<b>', '&amp;', '\r\n', ' 1 ', '//'),
  { maxLength: 60 },
)

describe('coloured code', () => {
  it.each(['ts', 'html', 'py', 'sh', 'diff', 'json', 'vue', 'c++'])('is to the letter the code that was written: %s', (language) => {
    fc.assert(
      fc.property(source, (pieces) => {
        const code = pieces.join('')
        const tokens = colourCode(code, language) ?? []
        expect(joined(tokens)).toBe(code)
        expect(tokenRuns(tokens).map(joined)).toEqual(code === '' ? [''] : codeRuns(code))
      }),
      { numRuns: 60 },
    )
  })

  it('knows words, texts, numbers and notes', () => {
    const found = (colourCode('let a = "b" + 1 // c', 'js') ?? []).filter(({ kind }) => kind)
    expect(found).toEqual([
      { text: 'let', kind: 'word' },
      { text: '"b"', kind: 'text' },
      { text: '1', kind: 'number' },
      { text: '// c', kind: 'note' },
    ])
  })

  it('has no colours for a language that it does not know', () => {
    expect(colourCode('x', 'no-such-language')).toBeUndefined()
  })

  it.each([
    ['short lines', 'a = 1\n'.repeat(1000)],
    ['one long line', 'const a = "b"; '.repeat(3000)],
    ['a long line among short ones', `x\n${'y'.repeat(9000)}\nz`],
    ['pairs', '\u{1F468}'.repeat(9000)],
  ])('comes in runs of at most 40 lines and 4,000 characters, a token cut at the seam: %s', (_title, code) => {
    const runs = codeRuns(code)
    expect(runs.join('')).toBe(code)
    expect(runs.every((run) => run.length <= 4000 && run.split('\n').length <= 41 && run.isWellFormed())).toBe(true)
    expect(tokenRuns([{ text: code, kind: 'note' }]).map(joined)).toEqual(runs)
    expect(codeRuns(`${code}more`).slice(0, runs.length - 1)).toEqual(runs.slice(0, -1))
  })

  it('keeps runs that came out the same', () => {
    const before = [[{ text: 'a' }], [{ text: 'b' }]]
    const after = keepAlike(before, [[{ text: 'a' }], [{ text: 'b', kind: 'word' }], [{ text: 'c' }]])
    expect([after[0] === before[0], after[1] === before[1], after.length]).toEqual([true, false, 3])
  })
})

describe('what is coloured next', () => {
  const lines = (count: number): string => 'x\n'.repeat(count)
  const done = (count: number) => ({ code: lines(count * 40), runs: Array.from({ length: count }, () => []) })
  it.each<[string, string, boolean, ReturnType<typeof done>, number | undefined]>([
    ['all of what is whole', lines(10), false, done(0), 20],
    ['nothing twice', lines(40), false, done(1), undefined],
    ['nothing before a run is full', lines(39), true, done(0), undefined],
    ['the first full run', lines(41), true, done(0), 80],
    ['nothing until a quarter more is there', lines(40 * 9), true, done(8), undefined],
    ['a quarter more', lines(40 * 10 + 3), true, done(8), 800],
    ['nothing of what is too long', lines(60_000), false, done(0), undefined],
  ])('is %s', (_title, code, growing, before, length) => {
    expect(nextToColour(code, growing, before)?.length).toBe(length)
  })
})
