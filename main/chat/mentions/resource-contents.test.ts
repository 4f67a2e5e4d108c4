import { expect, test } from 'vitest'
import { createViewedContents, mostBytes, toViewedContents } from './resource-contents.ts'

const asked = { server: 'demo', uri: 'demo://a' }
const base64 = (text: string): string => Buffer.from(text, 'latin1').toString('base64')
const show = (...contents: Record<string, string>[]) => toViewedContents({ contents }, asked, createViewedContents())

test('bytes are what they are, whatever the server calls them', () => {
  const { contents } = show(
    { uri: 'a', mimeType: 'image/png', blob: base64('<script>alert(1)</script>') },
    { uri: 'b', mimeType: 'text/html', blob: base64('\x89PNG\r\n\x1a\n') },
    { uri: 'c', mimeType: 'image/png', blob: base64('\x00\x01\x02') },
  )
  expect(contents.map(({ text, blob }) => [text, blob.mimeType])).toEqual([
    ['<script>alert(1)</script>', 'text/plain'],
    [undefined, 'image/png'],
    [undefined, 'application/octet-stream'],
  ])
})

test('what no model reads has no count of tokens', () => {
  const { contents } = show({ uri: 'a', text: 'x'.repeat(4000) }, { uri: 'b', blob: base64('\x00\x01') })
  expect(contents.map(({ tokens }) => tokens)).toEqual([1060, undefined])
})

test('more contents than are shown are counted', () => {
  const { contents, left } = show(...Array.from({ length: 105 }, (_, index) => ({ uri: `a${index}`, text: 'x' })))
  expect([contents.length, left]).toEqual([100, 5])
})

test('what is too large for a page is an error, and so is no list', () => {
  expect(() => show({ uri: 'a', text: 'x'.repeat(mostBytes + 1) })).toThrow(expect.objectContaining({ code: 'server.too-large' }))
  expect(() => toViewedContents({}, asked, createViewedContents())).toThrow(expect.objectContaining({ code: 'server.protocol' }))
})
