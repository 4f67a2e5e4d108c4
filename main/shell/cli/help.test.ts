import { describe, expect, it } from 'vitest'
import { helpText } from './help.ts'

describe('a help', () => {
  it('has what is typed in one column and what it means in another, under each other where it is long', () => {
    const long = 'word '.repeat(40).trim()
    const lines = helpText({
      usage: ['a'],
      parts: [
        [
          ['--short', long],
          ['--an-option-that-is-wider-than-its-column', 'b'],
        ],
      ],
    }).split('\n')
    const at = lines.findIndex((line) => line.includes('--short'))
    const column = lines[at]?.indexOf('word') ?? -1
    expect(lines[at + 1]?.search(/\S/)).toBe(column)
    const wide = lines.findIndex((line) => line.includes('--an-option'))
    expect([lines[wide]?.trim(), lines[wide + 1]?.search(/\S/)]).toEqual(['--an-option-that-is-wider-than-its-column', column])
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(92)
  })

  it('loses no word of a text, and cuts none', () => {
    const words = Array.from({ length: 60 }, (_, index) => `${'x'.repeat(index % 17)}${index}`)
    const text = helpText({ usage: ['a'], parts: [words.join(' ')] })
    expect(text.split(/\s+/)).toEqual(expect.arrayContaining(words))
  })

  it('has every way to call it under the first', () => {
    const [first = '', second = ''] = helpText({ usage: ['one', 'two'], parts: [] }).split('\n')
    expect(first.indexOf('assent')).toBe(second.indexOf('assent'))
  })
})
