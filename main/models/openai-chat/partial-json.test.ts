import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createJsonInPieces } from './tool-fragments.ts'

const parses = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const wholeAfterEach = (pieces: readonly string[]): boolean[] => {
  const json = createJsonInPieces()
  return pieces.map((piece) => {
    json.push(piece)
    return json.whole
  })
}

const asParsed = (pieces: readonly string[]): boolean[] => pieces.map((_, index) => parses(pieces.slice(0, index + 1).join('')))

describe('a JSON text in pieces', () => {
  it.each([
    [['{', '"a"', ':1', '}', ' ', '}']],
    [['"a\\', '"', '"', 'x']],
    [['', ' [', '"]"', ']', '[]']],
    [['tru', 'e', ' ', '1']],
    [['}', '{}']],
  ])('is whole when it parses: %j', (pieces) => {
    expect(wholeAfterEach(pieces)).toEqual(asParsed(pieces))
  })

  it('is whole when it parses, wherever it is cut', () => {
    fc.assert(
      fc.property(fc.json(), fc.array(fc.constantFrom('{', '}', '"', ' ', '1', '\\')), fc.nat({ max: 40 }), (text, more, size) => {
        const pieces = [...(text.match(new RegExp(`[^]{1,${size + 1}}`, 'g')) ?? []), ...more]
        const short = pieces.filter((_, index) => pieces.slice(0, index + 1).join('').length <= 32 || /^\s*[[{"]/.test(text))
        expect(wholeAfterEach(short)).toEqual(asParsed(short))
      }),
    )
  })
})
