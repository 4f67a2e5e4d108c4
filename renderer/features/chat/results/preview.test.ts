import { describe, expect, it } from 'vitest'
import type { ShownContent } from '#app/server/library-listing.ts'
import { hexRow, hexText, previewKind } from './content-view.tsx'
import { readTable } from './read-table.ts'

const content = (change: Partial<ShownContent>, type = 'text/plain', bytes = 3): ShownContent => ({
  uri: 'a://b',
  blob: { sha256: 'a'.repeat(64), bytes, mimeType: type },
  ...change,
})

describe('how a content is read', () => {
  it.each([
    [content({ text: 'x', mimeType: 'text/markdown; charset=utf-8' }), { kind: 'markdown' }],
    [content({ text: 'x', uri: 'a://b/README.md?x=1' }), { kind: 'markdown' }],
    [content({ text: 'x', mimeType: 'text/csv' }), { kind: 'table', separator: ',' }],
    [content({ text: 'x', mimeType: 'text/plain', uri: 'a://b.tsv' }), { kind: 'table', separator: '\t' }],
    [content({ text: '{}', mimeType: 'application/ld+json' }), { kind: 'json' }],
    [content({ text: 'x', uri: 'a://b.py' }), { kind: 'code', language: 'py' }],
    [content({ text: 'x' }), { kind: 'text' }],
    [content({ text: 'x'.repeat(400_001), mimeType: 'text/markdown' }), { kind: 'text' }],
    [content({ text: '<svg/>', mimeType: 'image/svg+xml' }), { kind: 'code', language: 'xml' }],
    [content({ mimeType: 'text/html' }, 'image/png'), { kind: 'image' }],
    [content({}, 'audio/wav'), { kind: 'audio' }],
    [content({}, 'application/pdf'), { kind: 'pdf' }],
    [content({ mimeType: 'image/png' }, 'application/octet-stream'), { kind: 'bytes' }],
    [content({ text: '' }, 'text/plain', 0), { kind: 'empty' }],
  ])('%#', (given, kind) => {
    expect(previewKind(given)).toEqual(kind)
  })
})

describe('a table', () => {
  const rowsOf = (text: string, separator: ',' | '\t' = ',') => readTable(text, separator)?.table.rows

  it.each([
    ['a,b\n1,2\n', [['1', '2']]],
    ['a,b\r\n"x, ""y""\nz",2\r\n\r\n', [['x, "y"\nz', '2']]],
    ['\ufeffa,b\n,', [['', '']]],
    ['a,b\n"open,2', [['open,2']]],
    ['a,b\n"x"y,2', [['xy', '2']]],
    ['a,b\n1,2,3', [['1', '2', '3']]],
  ])('%j', (text, rows) => {
    expect(rowsOf(text)).toEqual(rows)
  })

  it('knows which columns are numbers, and gives each a name of its own', () => {
    expect(readTable('n\tn\t\n1\tx\t\n-2.5\ty\t3', '\t')).toMatchObject({
      rows: 2,
      table: {
        columns: [
          { name: 'n', numeric: true },
          { name: 'n (2)', numeric: false },
          { name: '(3)', numeric: true },
        ],
      },
    })
  })

  it('is none with one column or one line', () => {
    expect([rowsOf('a\n1'), rowsOf('a,b'), rowsOf('')]).toEqual([undefined, undefined, undefined])
  })

  it('shows ten thousand rows and counts all', () => {
    const read = readTable(`a,b\n${'1,2\n'.repeat(10_500)}`, ',')
    expect([read?.table.rows.length, read?.rows]).toEqual([10_000, 10_500])
  })
})

it('bytes are written sixteen in a row, with the letters that they stand for', () => {
  const bytes = new Uint8Array([0, 0x41, 0xff, ...new TextEncoder().encode('PNG and more text')])
  expect([hexRow(bytes, 0), hexRow(bytes, 1), hexText(0x1f0)]).toEqual([
    { at: '00000000', hex: '00 41 ff 50 4e 47 20 61  6e 64 20 6d 6f 72 65 20', letters: '·A·PNG and more ' },
    { at: '00000010', hex: '74 65 78 74', letters: 'text' },
    '000001f0',
  ])
})
