import { describe, expect, it } from 'vitest'
import { type AnsiStyle, parseAnsi, plainText } from './ansi-escapes.ts'

const esc = '\u001b['
const spans = (line: string): [string, AnsiStyle][] => parseAnsi(line).map(({ text, style }) => [text, style])

describe('a line written for a terminal', () => {
  it('is spans of text, each with the styles that were set before it', () => {
    expect(spans(`a${esc}1;31mb${esc}22mc${esc}0md${esc}3;4;2me${esc}m`)).toEqual([
      ['a', {}],
      ['b', { bold: true, colour: 'red' }],
      ['c', { colour: 'red' }],
      ['d', {}],
      ['e', { italic: true, underline: true, dim: true }],
    ])
  })

  it.each([
    ['32', 'green'],
    ['93', 'yellow'],
    ['90', 'grey'],
    ['38;5;4', 'blue'],
    ['38;5;196', 'red'],
    ['38;5;240', 'grey'],
    ['38;5;255', undefined],
    ['38;2;0;200;190', 'cyan'],
    ['38:2:250:0:240', 'magenta'],
    ['38;2;120;120;125', undefined],
    ['37', undefined],
    ['31;39', undefined],
    ['48;5;1', undefined],
    ['48;2;1;2;3;35', 'magenta'],
    ['8', undefined],
    ['?25', undefined],
  ])('names the colour of %s: %s', (codes, colour) => {
    expect(parseAnsi(`${esc}${codes}mtext`)).toEqual([{ text: 'text', style: colour ? { colour } : {} }])
  })

  it('shows what a terminal would show last of a line that was overwritten', () => {
    expect(spans(`10%\r${esc}32m50%\r100%\r`)).toEqual([['100%', { colour: 'green' }]])
  })

  it.each([
    ['\u001b[31mred\u001b[0m', 'red'],
    ['\u001b]0;title\u0007text', 'text'],
    ['\u001b]8;;https://evil.example\u001b\\link\u001b]8;;\u001b\\', 'link'],
    ['\u001b[2J\u001b[Hclean', 'clean'],
    ['\u009b31mred', 'red'],
    ['\u001bPq#0\u001b\\after', 'after'],
    ['10%\r50%\r100%', '100%'],
    ['windows\r', 'windows'],
    ['plain [31m', 'plain [31m'],
    ['', ''],
  ])('draw %j as plain text', (text, shown) => {
    expect([
      plainText(text),
      parseAnsi(text)
        .map((span) => span.text)
        .join(''),
    ]).toEqual([shown, shown])
  })
})
