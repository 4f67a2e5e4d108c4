import { describe, expect, it } from 'vitest'
import { createStderrLines, excerpt } from './stdio-process.ts'

function makeOutput(burst: number) {
  const passed: [string, number][] = []
  let pending: (() => void) | undefined
  const clock = {
    now: () => 0,
    after: (_: number, callback: () => void) => {
      pending = callback
      return () => {
        pending = undefined
      }
    },
  }
  const output = createStderrLines({ burst, maxLine: 10, clock, onLine: (line, before) => void passed.push([line, before]) })
  return {
    passed,
    output,
    add: (...lines: string[]) => lines.forEach((line) => void output.add(Buffer.from(line))),
    endWindow: () => pending?.(),
    isWaiting: () => pending !== undefined,
  }
}

describe('the output of a server', () => {
  it('passes on so many lines at a time, then the last one and how many it left out', () => {
    const { passed, add, endWindow } = makeOutput(2)
    add('1', '2', '3', '4', '5')
    expect(passed).toEqual([
      ['1', 0],
      ['2', 0],
    ])
    endWindow()
    add('6')
    expect(passed.slice(2)).toEqual([
      ['5', 2],
      ['6', 0],
    ])
  })

  it('passes on what it holds back at the end, and leaves no timer', () => {
    const { passed, output, add, isWaiting } = makeOutput(1)
    add('1', '2', '3')
    output.flush()
    expect(passed).toEqual([
      ['1', 0],
      ['3', 1],
    ])
    expect(isWaiting()).toBe(false)
  })

  it.each([
    ['short', 'short'],
    ['with CR\r', 'with CR'],
    ['exactly 10', 'exactly 10'],
    ['more than 10', 'more than …'],
    ['cut in ü…', 'cut in ü…'],
    ['cut inn üa', 'cut inn ü…'],
    ['cut in a ü', 'cut in a …'],
  ])('shows %j as %j', (line, expected) => {
    expect(excerpt(Buffer.from(line), 10)).toBe(expected)
  })
})
