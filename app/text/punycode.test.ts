import { expect, it } from 'vitest'
import { unicodeHost } from './punycode.ts'

it.each(['аррӏе.com', 'bücher.example', 'пример.example', '例え.jp', 'mañana.com', '他们为什么不说中文.com', 'noрthbank.example', '☃.net'])(
  'reads %s from how it is written in ASCII',
  (host) => {
    expect(unicodeHost(new URL(`https://${host}`).hostname)).toBe(host)
  },
)

it.each(['example.com', 'xn--.com', 'xn--99999999999.com', 'xn--a_b.com', `xn--${'z'.repeat(200)}.com`, ''])(
  'leaves %j alone, or ends',
  (host) => {
    expect(typeof unicodeHost(host)).toBe('string')
  },
)
