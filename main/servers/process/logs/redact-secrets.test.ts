import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMask } from './redact-secrets.ts'

describe('a mask', () => {
  it.each([
    [['abcdef'], 'x abcdef y abcdef', 'x ••• y •••'],
    [['abcdef', 'abcdefgh'], 'abcdefgh', '•••'],
    [['a"b\\cdef'], String.raw`{"key":"a\"b\\cdef"}`, '{"key":"•••"}'],
    [['p@ss/word'], 'https://u:p%40ss%2Fword@host/', 'https://u:•••@host/'],
    [['abcdef'], 'cut in its mid abc…', 'cut in its mid •••…'],
    [['abcdef'], 'not cut abc', 'not cut abc'],
    [['1', 'no', ''], 'no 1', 'no 1'],
    [[], 'abcdef', 'abcdef'],
  ])('of %j makes of %s: %s', (values, text, expected) => {
    expect(createMask(values)(text)).toBe(expected)
  })

  it('leaves no secret in any text, however often it is in it', () => {
    const secret = fc.string({ minLength: 6, maxLength: 12 }).filter((text) => !text.includes('•'))
    fc.assert(
      fc.property(secret, fc.array(fc.string()), (value, around) => {
        expect(createMask([value])(around.join(value))).not.toContain(value)
      }),
    )
  })
})
