import { expect, test } from 'vitest'
import { createViewedContents } from './resource-contents.ts'

const bytes = (fill: number, length = 40): Uint8Array => new Uint8Array(length).fill(fill)

test('the bytes that were looked at longest ago go when there are too many', () => {
  const store = createViewedContents({ maxBytes: 100 })
  const first = store.put(bytes(1), 'image/png')
  const second = store.put(bytes(2), 'text/plain')
  store.put(bytes(1), 'image/png')
  store.put(bytes(3), 'text/plain')
  expect([store.get(first.sha256)?.mimeType, store.get(second.sha256)]).toEqual(['image/png', undefined])
})

test('what is larger than all of it stays while it is the latest', () => {
  const store = createViewedContents({ maxBytes: 100 })
  store.put(bytes(1), 'image/png')
  const large = store.put(bytes(2, 200), 'application/pdf')
  expect(store.get(large.sha256)?.bytes.byteLength).toBe(200)
})

test('bytes keep the type that they first came with', () => {
  const store = createViewedContents()
  store.put(bytes(1), 'image/png')
  expect(store.put(bytes(1), 'text/html')).toMatchObject({ bytes: 40, mimeType: 'image/png' })
})
