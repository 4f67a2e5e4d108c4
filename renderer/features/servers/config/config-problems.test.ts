import { describe, expect, it } from 'vitest'
import { hostProblems, offsetOf, position, textProblems } from './config-problems.ts'

describe('servers.json as text', () => {
  it('names the line of a missing comma, and comments are no fault', () => {
    const text = '{\n  // mine\n  "a": 1\n  "b": 2,\n}'
    expect(textProblems(text).map(({ line, column }) => [line, column])).toEqual([[4, 3]])
    expect(textProblems('{ "a": [1, 2,], /* b */ }')).toEqual([])
    expect(textProblems('')).toEqual([])
  })

  it('names one fault a line', () => {
    expect(textProblems('{ a: b: c }').map(({ line }) => line)).toEqual([1])
  })

  it('turns an offset into line and column and back', () => {
    const text = 'ab\ncde\n'
    for (const offset of [0, 2, 3, 6, 7]) {
      const { line, column } = position(text, offset)
      expect(offsetOf(text, line, column)).toBe(offset)
    }
    expect(offsetOf(text, 99, 99)).toBe(text.length)
  })

  it('takes the host’s problems over with their remedy', () => {
    const [problem] = hostProblems([{ file: 'servers.json', message: 'No command.', remedy: 'Add one.' }])
    expect(problem).toEqual({ line: 1, column: 1, message: 'No command. Add one.' })
  })
})
