import { describe, expect, test } from 'vitest'
import type { JsonObject } from '#app/json.ts'
import { keepAsText } from '#main/base/json-size.ts'
import { memoryBlobs } from '../fake-tools.testing.ts'
import { INLINE_TEXT_BYTES, toToolResult, truncateUtf8 } from './store-result.ts'

const png = Buffer.from('89504e470d0a1a0a0000', 'hex')
const keep = (result: JsonObject, blobs = memoryBlobs()) => toToolResult(result, 1, blobs)
const one = (block: JsonObject, blobs = memoryBlobs()) => keep({ content: [block] }, blobs).content[0]

describe('a result is kept', () => {
  test('with its structure, its size and its own word on failure', () => {
    expect(toToolResult({ content: [], structuredContent: { a: [1] }, isError: true }, 99, memoryBlobs())).toEqual({
      content: [],
      structuredContent: { a: [1] },
      isError: true,
      bytes: 99,
    })
  })

  test('with an image as the type that it is, not the one it claims', () => {
    const image = one({ type: 'image', data: png.toString('base64'), mimeType: 'text/html' })
    expect(image).toMatchObject({ type: 'image', blob: { mimeType: 'image/png', bytes: 10 } })
  })

  test('without ever serving a script as an image', () => {
    const blobs = memoryBlobs()
    const svg = Buffer.from('<svg onload="alert(1)"/>').toString('base64')
    expect(one({ type: 'image', data: svg, mimeType: 'image/svg+xml' }, blobs)?.type).toBe('unknown')
    expect([...blobs.kept.values()].map(({ mimeType }) => mimeType)).toEqual(['application/octet-stream'])
  })

  test('with a large structure as the text it came as, whole beside its beginning', () => {
    const blobs = memoryBlobs()
    const text = `{ "rows": [${'1.0, '.repeat(200_000)}2] }`
    const result: JsonObject = { content: [], _meta: { a: 1 } }
    keepAsText(result, 'structuredContent', Buffer.from(text))
    const { content, structuredContent, more } = keep(result, blobs)
    expect({ content, structuredContent, more }).toEqual({
      content: [{ type: 'text', text: text.slice(0, 10_000), whole: expect.objectContaining({ bytes: text.length }) }],
      structuredContent: undefined,
      more: { _meta: { a: 1 } },
    })
    expect([...blobs.kept.values()].map(({ bytes }) => Buffer.from(bytes).toString())).toEqual([text])
  })

  test('with a long text whole beside its beginning, cut at a whole character', () => {
    const blobs = memoryBlobs()
    const long = `${'x'.repeat(INLINE_TEXT_BYTES - 1)}€ and more`
    const block = one({ type: 'text', text: long }, blobs)
    expect(block).toMatchObject({ type: 'text', text: 'x'.repeat(INLINE_TEXT_BYTES - 1), whole: { mimeType: 'text/plain' } })
    const whole = block?.type === 'text' && block.whole ? blobs.get(block.whole.sha256) : undefined
    expect(Buffer.from(whole?.bytes ?? []).toString('utf8')).toBe(long)
  })

  test('with a text of just the limit inline', () => {
    const text = '€'.repeat(Math.floor(INLINE_TEXT_BYTES / 3))
    expect(one({ type: 'text', text })).toEqual({ type: 'text', text })
  })

  test('with resources as text or as bytes, and links as links', () => {
    expect(
      keep({
        content: [
          { type: 'resource', resource: { uri: 'a:1', text: 'hi', mimeType: 'text/plain' } },
          { type: 'resource', resource: { uri: 'a:2', blob: png.toString('base64'), mimeType: 'text/html' } },
          { type: 'resource_link', uri: 'a:3', name: 'three', title: 'Three' },
        ],
      }).content,
    ).toMatchObject([
      { type: 'resource', uri: 'a:1', text: 'hi', mimeType: 'text/plain' },
      { type: 'resource', uri: 'a:2', blob: { mimeType: 'image/png' } },
      { type: 'resource-link', uri: 'a:3', name: 'three', title: 'Three' },
    ])
  })

  test('with all that stands beside what it is: annotations, icons, sizes, `_meta`, and what nobody knows yet', () => {
    const annotations = { audience: ['user'], priority: 0.5, lastModified: '2026-01-01T00:00:00Z' }
    const _meta = { 'example.com/page': 3 }
    const icons = [{ src: 'https://example.com/i.png', mimeType: 'image/png', sizes: ['48x48'] }]
    const traced = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01' }
    const result = keep({
      content: [
        { type: 'text', text: 'a', annotations, _meta },
        { type: 'image', data: png.toString('base64'), mimeType: 'image/png', annotations },
        { type: 'resource', resource: { uri: 'a:1', text: 'hi', _meta }, annotations },
        { type: 'resource_link', uri: 'a:3', name: 'three', size: 9, icons },
      ],
      _meta: traced,
      tomorrow: [1],
    })
    expect(result.more).toEqual({ _meta: traced, tomorrow: [1] })
    expect(result.content.map((block) => (block.type === 'unknown' ? block : block.more))).toEqual([
      { annotations, _meta },
      { annotations },
      { annotations, resource: { _meta } },
      { size: 9, icons },
    ])
  })

  test.each<[string, JsonObject]>([
    ['a type of tomorrow', { type: 'hologram', depth: 3 }],
    ['an image without data', { type: 'image', mimeType: 'image/png' }],
    ['an image that is no base64', { type: 'image', data: '<html>', mimeType: 'image/png' }],
    ['a text without text', { type: 'text', text: 4 }],
    ['a resource without address', { type: 'resource', resource: {} }],
    ['a link without address', { type: 'resource_link', name: 'x' }],
  ])('as data, when it holds %s', (_, block) => {
    expect(one(block)).toEqual({ type: 'unknown', value: block })
  })

  test.each<JsonObject>([{}, { content: 'text' }, { content: null }])('as empty, when its content is %j', (result) => {
    expect(keep(result).content).toEqual([])
  })
})

describe('a result that is too much for a message', () => {
  const sizeOf = (result: object): number => JSON.stringify(result).length
  test.each<[string, JsonObject]>([
    ['long texts', { content: Array.from({ length: 100 }, () => ({ type: 'text', text: 'x'.repeat(90_000) })) }],
    ['blocks without end', { content: Array.from({ length: 50_000 }, (_, i) => ({ type: 'text', text: `${i}` })) }],
    ['a content type of tomorrow', { content: [{ type: 'hologram', data: 'x'.repeat(5_000_000) }] }],
    ['a long address', { content: [{ type: 'resource_link', uri: `a:${'x'.repeat(5_000_000)}`, name: 'a' }] }],
    ['structure', { content: [], structuredContent: { rows: Array.from({ length: 200_000 }, (_, i) => i) } }],
  ])('of %s is kept whole beside its beginning', (_, result) => {
    const blobs = memoryBlobs()
    const kept = keep(result, blobs)
    expect(sizeOf(kept)).toBeLessThan(700_000)
    const last = kept.content.at(-1)
    const whole = last?.type === 'text' && last.whole ? blobs.get(last.whole.sha256) : undefined
    const rest = JSON.parse(Buffer.from(whole?.bytes ?? []).toString('utf8')) as unknown
    const before = kept.content.length - 1
    expect(rest).toEqual(result['structuredContent'] ?? (result['content'] as readonly unknown[]).slice(before))
  })
})

test('what stands beside a result and is too much for a message is kept whole beside its beginning', () => {
  const blobs = memoryBlobs()
  const _meta = { much: 'x'.repeat(5_000_000) }
  const kept = keep({ content: [], structuredContent: { a: 1 }, _meta }, blobs)
  expect([kept.structuredContent, kept.more]).toEqual([{ a: 1 }, undefined])
  const [only] = kept.content
  const whole = only?.type === 'text' && only.whole ? blobs.get(only.whole.sha256) : undefined
  expect(JSON.parse(Buffer.from(whole?.bytes ?? []).toString('utf8'))).toEqual({ _meta })
})

test('blank space without end does not hold the loop', () => {
  const data = `${' '.repeat(2_000_000)}!`
  expect(one({ type: 'image', data })?.type).not.toBe('image')
})

test('the beginning of bytes never ends inside a character', () => {
  const bytes = Buffer.from('a€')
  expect([1, 2, 3, 4].map((limit) => truncateUtf8(bytes, limit))).toEqual(['a', 'a', 'a', 'a€'])
})
