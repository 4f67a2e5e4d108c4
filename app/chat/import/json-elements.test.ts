import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createElementReader, type Element } from './json-elements.ts'

function read(text: string, pieceLength = text.length || 1, limits = { longest: 1000, deepest: 20 }): { found: unknown[]; end: string } {
  const reader = createElementReader(limits)
  const elements: Element[] = []
  for (let at = 0; at < text.length; at += pieceLength) elements.push(...reader.push(text.slice(at, at + pieceLength)))
  return {
    found: elements.map((element) => (element.kind === 'element' ? JSON.parse(element.text) : element.reason)),
    end: reader.end(),
  }
}

describe('the elements of a long list', () => {
  test.each([
    ['of a list', '[1, {"a": [2, "]"]}, "x,\\"]"]', [1, { a: [2, ']'] }, 'x,"]']],
    ['under items', '{"version": 1, "other": [0, [1]], "items": [{"a": 1}, 2], "more": [3]}', [{ a: 1 }, 2]],
    ['under conversations', '\ufeff {"conversations": []}', []],
    ['a conversation by itself', ' {"title": "a}", "mapping": {"b": [1]}, "z": 2} ', [{ title: 'a}', mapping: { b: [1] }, z: 2 }]],
    ['one with a list', '{"uuid": "a", "chat_messages": [{"b": 1}]}', [{ uuid: 'a', chat_messages: [{ b: 1 }] }]],
  ])('%s', (_title, text, found) => {
    for (const length of [1, 2, 7, 1000]) expect(read(text, length)).toEqual({ found, end: 'whole' })
  })

  test.each([
    ['{"servers": [1]}', 'unknown'],
    ['diary', 'unknown'],
    ['', 'unknown'],
    ['[1, {"a": ', 'cut'],
    ['{"mapping": {"a": 1}', 'cut'],
    ['{"mapping": 1, "deeper": {"mapping": {}}}', 'unknown'],
  ])('%j is %s', (text, end) => expect(read(text).end).toBe(end))

  test('one that is too long or too deep is passed over, whatever its pieces; the next are read', () => {
    const text = `["${'x'.repeat(2000)}", ${'['.repeat(30)}${']'.repeat(30)}, {"after": 1}]`
    for (const length of [1, 100, 5000]) expect(read(text, length).found).toEqual(['too-long', 'too-deep', { after: 1 }])
    const alone = `{"uuid": "${'x'.repeat(2000)}", "chat_messages": []}`
    for (const length of [1, 100, 5000]) expect(read(alone, length)).toEqual({ found: ['too-long'], end: 'whole' })
  })

  test('are those of JSON itself, however the text is cut', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ maxDepth: 4 })), fc.integer({ min: 1, max: 50 }), (list, length) => {
        expect(read(JSON.stringify(list), length, { longest: 100_000, deepest: 100 }).found).toEqual(JSON.parse(JSON.stringify(list)))
      }),
    )
  })
})
