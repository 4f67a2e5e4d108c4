import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { withRetries } from './windows-cleanup.ts'

test('a removal is tried again, as often as its caller says or twenty times', () => {
  const removed: unknown[] = []
  const remove = withRetries((...args) => removed.push(args))
  remove('/a', { recursive: true, force: true })
  remove('/b', { maxRetries: 3 })
  expect(removed).toEqual([
    ['/a', { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }],
    ['/b', { maxRetries: 3, retryDelay: 50 }],
  ])
  // What tests import by name is replaced on Windows alone.
  expect(rmSync.length > 0).toBe(true)
})
