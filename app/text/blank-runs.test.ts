import { expect, test } from 'vitest'
import { foldBlanks } from './hidden-characters.ts'

const shown = (text: string): string =>
  foldBlanks(text)
    .map((piece) => (piece.kind === 'blank' ? `[${piece.name}]` : piece.text))
    .join('')

test.each([
  ['a\n\nb', 'a\n\nb'],
  ['a\n\n\nb', 'a\n\n\nb'],
  [`a${'\n'.repeat(4)}b`, 'a\n[3 empty lines]b'],
  [`ls${'\n'.repeat(61)}rm`, 'ls\n[60 empty lines]rm'],
  [`ls${'\n \t'.repeat(60)}\nrm`, 'ls\n[60 empty lines]rm'],
  [`ls${'\r\n'.repeat(61)}rm`, 'ls\r\n[60 empty lines]rm'],
  [`${'\n'.repeat(1200)}rm`, '[1,200 empty lines]rm'],
  [`ls${' '.repeat(2000)}; rm`, 'ls[2,000 spaces]; rm'],
  [`ls${'\u00a0'.repeat(30)}; rm`, 'ls[30 spaces]; rm'],
  [`{\n${' '.repeat(120)}"a": 1`, `{\n${' '.repeat(120)}"a": 1`],
  ['', ''],
])('%j is shown as %j', (text, expected) => {
  expect(shown(text)).toBe(expected)
  expect(
    foldBlanks(text)
      .map((piece) => piece.text)
      .join(''),
  ).toBe(text)
})
