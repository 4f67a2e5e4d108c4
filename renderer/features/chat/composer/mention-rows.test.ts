import { expect, test } from 'vitest'
import { findTrigger } from './mention-rows.tsx'

test.each([
  ['/', 1, { kind: 'prompt', from: 0, query: '' }],
  ['/chase', 6, { kind: 'prompt', from: 0, query: 'chase' }],
  ['Look at @inv', 12, { kind: 'resource', from: 8, query: 'inv' }],
  ['@', 1, { kind: 'resource', from: 0, query: '' }],
  ['(@a', 3, { kind: 'resource', from: 1, query: 'a' }],
])('%s asks for something', (text, caret, trigger) => {
  expect(findTrigger(text, caret)).toEqual(trigger)
})

test.each([
  ['me@example.com', 14],
  ['and/or', 6],
  ['/chase a vendor', 15],
  ['@inv and more', 13],
  ['', 0],
])('%s asks for nothing', (text, caret) => {
  expect(findTrigger(text, caret)).toBeUndefined()
})
