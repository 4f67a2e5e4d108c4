import { describe, expect, it } from 'vitest'
import { parseMarkdown, type Token } from './parser.ts'

const formulas = (tokens: readonly Token[]): [string, boolean][] =>
  tokens.flatMap((token) =>
    token.type.startsWith('math_') ? [[token.content, token.meta?.['display'] === true]] : formulas(token.children ?? []),
  )

describe('what is math', () => {
  it.each<[string, [string, boolean][]]>([
    [
      'so $x^2$ and $n$',
      [
        ['x^2', false],
        ['n', false],
      ],
    ],
    ['$$\n\\int_0^1 x\\,dx\n$$', [['\\int_0^1 x\\,dx', true]]],
    ['text\n$$\na\n= b\n- c\n$$\nmore', [['a\n= b\n- c', true]]],
    [
      '\\(a_1\\) and \\[b\\]',
      [
        ['a_1', false],
        ['b', true],
      ],
    ],
    ['\\[\nx\n\\]', [['x', true]]],
    ['in a line $$a$$ too', [['a', true]]],
    ['- $$\n  a\n  $$', [['a', true]]],
    ['$a = b$', [['a = b', false]]],
    ['$a_1 *not* b_2$', [['a_1 *not* b_2', false]]],
    ['| a |\n|---|\n| $c$ |', [['c', false]]],
  ])('%j', (text, expected) => {
    expect(formulas(parseMarkdown(text))).toEqual(expected)
  })
})

describe('what is not', () => {
  it.each([
    'costs $5 and $6',
    'from $5-$6',
    '$5, $10 or $20',
    'between $100 million and 200$',
    'US$5 (or 6$)',
    'a $ b $ c',
    'only $one sign',
    '\\$a\\$',
    '`$a$`',
    '$$ $$',
    '$$\nnever ends',
    '$20,000/year vs. $30,000/year',
    '    $$\n    a\n    $$',
  ])('%j', (text) => {
    expect(formulas(parseMarkdown(text))).toEqual([])
  })
})
