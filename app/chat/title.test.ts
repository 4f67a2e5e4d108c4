import { expect, test } from 'vitest'
import { titleOf } from './title.ts'

test.each([
  ['  List the invoices \nand total them', 'List the invoices'],
  ['a\t b', 'a b'],
  [`${'word '.repeat(20)}`, `${'word '.repeat(12).trim()} …`],
  ['x'.repeat(80), `${'x'.repeat(60)} …`],
  ['👍'.repeat(61), `${'👍'.repeat(60)} …`],
])('%j is called %j', (text, title) => {
  expect(titleOf(text)).toBe(title)
})
