import { describe, expect, it, test } from 'vitest'
import { titleFromText, writtenTitle } from './conversation-title.ts'

test.each([
  ['  List the invoices \nand total them', 'List the invoices'],
  ['a\t b', 'a b'],
  [`${'word '.repeat(20)}`, `${'word '.repeat(12).trim()} …`],
  ['x'.repeat(80), `${'x'.repeat(60)} …`],
  ['👍'.repeat(61), `${'👍'.repeat(60)} …`],
])('%j is called %j', (text, title) => {
  expect(titleFromText(text)).toBe(title)
})

describe('writtenTitle', () => {
  it.each([
    ['Invoices of September', 'Invoices of September'],
    ['"Invoices of September."', 'Invoices of September'],
    ['\n## **Title: Invoices**\nand more', 'Invoices'],
    ['Title: Invoices', 'Invoices'],
    ['A spider’s **eight** legs in `legs.ts`', 'A spider’s eight legs in legs.ts'],
    ['What __init__ does in 2 ** 3', 'What __init__ does in 2 ** 3'],
    ['– “Où est Brian ?”', '– “Où est Brian ?'],
    ['- **Müller & Söhne**', 'Müller & Söhne'],
    ['in\u{e0041}vis\u202eible', 'invisible'],
    ['one\u2028two', 'one'],
    ['***', undefined],
    ['\u200b \n', undefined],
  ])('%j becomes %j', (text, title) => {
    expect(writtenTitle(text)).toBe(title)
  })

  it('is short, whatever was written', () => {
    expect([...(writtenTitle('word '.repeat(10_000)) ?? '')].length).toBeLessThanOrEqual(62)
  })
})
