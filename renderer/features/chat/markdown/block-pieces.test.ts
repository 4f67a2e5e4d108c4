import { expect, it } from 'vitest'
import { hostileTexts } from '../../../../bench/chat/page/hostile-text.ts'
import { longestBlock, splitBlocks, splitLongBlock, weightOf } from './block-pieces.ts'

const all = (text: string) => splitBlocks(text).flatMap(splitLongBlock)

it.each(Object.keys(hostileTexts))('no piece of %s is longer than one may be, and nothing of the text is lost', (name) => {
  const text = hostileTexts[name]?.() ?? ''
  const pieces = all(text).filter(({ kind }) => kind === 'markdown')
  const longest = pieces.reduce((most, piece) => Math.max(most, piece.text.length), 0)
  // Of a table, with its head before it.
  expect(longest).toBeLessThanOrEqual(longestBlock * 1.25)
  const joined = all(text).map((piece, index, list) => piece.text.slice(-((list[index + 1]?.start ?? text.length) - piece.start)))
  expect(joined.join('') === text).toBe(true)
})

it('cuts a table between rows, each piece with its head', () => {
  const rows = Array.from({ length: 2000 }, (_, at) => `| ${at} | cell |\n`).join('')
  const pieces = all(`|a|b|\n|-|-|\n${rows}`)
  expect(pieces.length).toBeGreaterThan(3)
  expect(pieces.every(({ text }) => text.startsWith('|a|b|\n|-|-|\n| ') && text.endsWith('|\n'))).toBe(true)
})

it('cuts a list before an item, not within one', () => {
  const items = Array.from({ length: 2000 }, (_, at) => `- item ${at}\n  and more\n`).join('')
  expect(all(items).every(({ text }) => text.startsWith('- item'))).toBe(true)
})

it('cuts nothing that is short, and keeps the pieces of a block that stays', () => {
  const [short] = splitBlocks('a **b** c')
  const [long] = splitBlocks('word '.repeat(5000))
  if (!short || !long) throw new Error('no block')
  expect(splitLongBlock(short)).toEqual([short])
  expect(splitLongBlock(long)).toBe(splitLongBlock(long))
})

it('weighs signs and formulas more than words', () => {
  const [words, signs, formulas] = ['words '.repeat(100), '*a_ **'.repeat(100), '$x^2$ '.repeat(100)].map((text) =>
    weightOf({ kind: 'markdown', start: 0, text }),
  )
  expect([(signs ?? 0) > 10 * (words ?? 0), (formulas ?? 0) > 2 * (signs ?? 0)]).toEqual([true, true])
})
