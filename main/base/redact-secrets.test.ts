import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMask } from './redact-secrets.ts'

describe('a mask', () => {
  it.each([
    [['abcdef'], 'x abcdef y abcdef', 'x ••• y •••'],
    [['abcdef', 'abcdefgh'], 'abcdefgh', '•••'],
    [['a"b\\cdef'], String.raw`{"key":"a\"b\\cdef"}`, '{"key":"•••"}'],
    [['p@ss/word'], 'https://u:p%40ss%2Fword@host/', 'https://u:•••@host/'],
    [['p@ss/word'], 'https://u:p%40ss/wor%64@host/', 'https://u:•••@host/'],
    [['p@ss/wörd'], 'https://u:p%40ss%2fw%c3%B6rd@host/', 'https://u:•••@host/'],
    [['two words'], 'q=two+words&r=%', 'q=•••&r=%'],
    [['hunter22'], 'hex 68756e7465723232 68756E7465723232', 'hex ••• •••'],
    [['abcdef'], 'cut in its mid abc…', 'cut in its mid •••…'],
    [['abcdef'], 'not cut abc', 'not cut abc'],
    [['1', 'no', ''], 'no 1', 'no 1'],
    [[], 'abcdef', 'abcdef'],
    [['p@ss/word'], String.raw`\u0070\u0040\u0073\u0073\/\u0077\u006F\u0072\u0064 p%2540ss%25252Fword`, '••• •••'],
    [['50%2Fx+y z'], '50%252Fx+y z 50%252Fx%2By%20z', '••• •••'],
    [['hunter22'], '68:75:6e:74:65:72:32:32 aHVu\r\ndGVyMjI9PT09', '••• •••'],
    [['hunter22-of-the-house'], 'YUhWdWRHVnlNakl0YjJZdGRHaGxMV2h2ZFhObA== and 6148567564475679 4d6a49', '••• and 6148567564475679 4d6a49'],
    [['Bearer abcdefgh'], 'token=abcdefgh', 'token=•••'],
    [['-----BEGIN KEY-----\nabcdefghijklmnop\nqrstuvwxyz012345\n-----END KEY-----'], 'it is abcdefghijklmnop.', 'it is •••.'],
    [
      ['{"user":"bot-of-us","token":"abcdefgh"}'],
      '{ "token": "abcdefgh", "user": "bot-of-us" }',
      '{ "token": "•••", "user": "bot-of-us" }',
    ],
    [['AKIAZQ7XV9KM:9hT2/wLq+Zr4Xb8Nd6Vc'], '9hT2/wLq+Zr4Xb8Nd6Vc of AKIAZQ7XV9KM, a key', '••• of AKIAZQ7XV9KM, a key'],
    [['0123456789abcdefghijklmn'], 'begun 0123456789abc', 'begun •••'],
    [['0123456789abcdefghijklmn'], 'one\ndefghijklmn ended', 'one\n••• ended'],
    [['0123456789abcdefghijklmn'], '0123456789abc in a line', '0123456789abc in a line'],
    [['hunter22'], 'hun\u001b[0mter\u200b22 \\u001b[1mhunt\\u001b[0mer22', '••• \\u001b[1m•••'],
    [['Gr\u00fc\u00dfe-9xT4'], 'Gru\u0308\u00dfe-9xT4', '•••'],
  ])('of %j makes of %s: %s', (values, text, expected) => {
    expect(createMask(values)(text)).toBe(expected)
  })

  it('finds a secret in base64, whatever is around it', () => {
    const bytes = fc.string({ unit: 'grapheme', maxLength: 5 })
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 8, maxLength: 20 }), bytes, bytes, (secret, before, after) => {
        for (const encoding of ['base64', 'base64url'] as const) {
          const text = createMask([secret])(Buffer.from(`${before}${secret}${after}`).toString(encoding))
          expect(text.split('•••').length).toBeGreaterThan(1)
          expect(Buffer.from(text.replaceAll('•••', ''), 'base64').toString()).not.toContain(secret)
        }
      }),
    )
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
