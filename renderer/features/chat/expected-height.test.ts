import { describe, expect, test } from 'vitest'
import { makeAnswer, makeUserMessage } from '#renderer/testing/builders.ts'
import { expectedHeight, firstToFill } from './message-list.tsx'

const answer = (length: number) => makeAnswer({ parts: [{ kind: 'text', text: 'a'.repeat(length) }] })

describe('the height expected of a message', () => {
  test('grows with its text, and is never nothing', () => {
    const heights = [answer(0), answer(600), answer(6000)].map(expectedHeight)
    expect(heights).toEqual([48, 48 + 10 * 22, 48 + 100 * 22])
  })

  test('a question has longer lines; a part that is closed takes one row', () => {
    expect(expectedHeight(makeUserMessage({ text: 'a'.repeat(160) }))).toBe(48 + 2 * 22)
    expect(expectedHeight(makeAnswer({ parts: [{ kind: 'thinking', text: 'a'.repeat(6000) }] }))).toBe(88)
    expect(expectedHeight(undefined)).toBe(48)
  })
})

describe('what fills a window', () => {
  test('from the end, with half a window to spare', () => {
    expect(firstToFill([100, 100, 100, 100, 100], 200)).toBe(2)
    expect(firstToFill([100, 100, 1000], 200)).toBe(2)
  })

  test('all of a list that does not fill it, and of an empty one', () => {
    expect(firstToFill([50, 50, 50], 600)).toBe(0)
    expect(firstToFill([], 600)).toBe(0)
  })
})
