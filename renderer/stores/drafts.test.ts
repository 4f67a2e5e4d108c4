import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { makeSnapshot } from '#renderer/testing/builders.ts'
import { createFakeConnection, type FakeConnection } from '#renderer/testing/fake-link.ts'
import { settle } from '#renderer/testing/render.tsx'
import { createStores, type Stores } from './stores.ts'

let connection: FakeConnection
let stores: Stores

function start(): void {
  connection = createFakeConnection()
  stores = createStores(connection)
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  stores.dispose()
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

it('drafts go to the host a moment after the last key', async () => {
  start()
  await settle()
  stores.drafts.set('c1', 'a')
  vi.advanceTimersByTime(300)
  stores.drafts.set('c1', 'ab')
  vi.advanceTimersByTime(300)
  expect(connection.paramsOf('draft.set')).toEqual([])
  vi.advanceTimersByTime(100)
  expect(connection.paramsOf('draft.set')).toEqual([{ conversationId: 'c1', text: 'ab' }])
  await settle()
})

it('the last words before a reload are there after it, though nothing of them left the page', async () => {
  start()
  await settle()
  stores.drafts.set('c1', 'half a')
  stores.drafts.set('', 'half a thought')
  stores.drafts.set('c1', '')
  stores.drafts.keepAll()
  stores.dispose()
  start()
  await settle()
  expect(stores.drafts.read('')).toBe('half a thought')
  expect(connection.paramsOf('draft.set')).toEqual([{ conversationId: 'c1', text: '' }, { text: 'half a thought' }])
  stores.dispose()
  start()
  expect(stores.drafts.read('')).toBe('')
  await settle()
})

it('drafts are not overwritten by older words of the host while some are unkept', async () => {
  start()
  await settle()
  stores.drafts.set('', 'mine')
  connection.tell('draft.changed', { text: 'theirs' })
  expect(stores.drafts.read('')).toBe('mine')
  await settle()
})

/** What this window wrote is with the host. */
async function kept(text: string): Promise<void> {
  start()
  await settle()
  stores.drafts.set('', text)
  vi.advanceTimersByTime(400)
  await settle()
  connection.tell('draft.changed', { text })
}

it('drafts of two windows are shown in both, as far as nothing that was written in one is lost', async () => {
  await kept('Plan the trip')
  connection.tell('draft.changed', { text: 'Plan the trip to Lisbon' })
  expect(stores.drafts.read('')).toBe('Plan the trip to Lisbon')
  connection.tell('draft.changed', { text: 'Something else' })
  expect(stores.drafts.read('')).toBe('Plan the trip to Lisbon')
  connection.tell('draft.changed', { conversationId: 'c1', text: 'theirs' })
  expect(stores.drafts.read('c1')).toBe('theirs')
})

it('drafts go when the other window sent what this one shows, and stay when it sent something else', async () => {
  await kept('Plan the trip')
  connection.tell('draft.changed', { text: '' })
  expect(stores.drafts.read('')).toBe('')
  stores.drafts.set('', 'Fix the sink')
  vi.advanceTimersByTime(400)
  await settle()
  for (const text of ['Fix the sink', 'Something else', '']) connection.tell('draft.changed', { text })
  await settle()
  expect([stores.drafts.read(''), connection.paramsOf('draft.set').at(-1)]).toEqual(['Fix the sink', { text: 'Fix the sink' }])
})

it('drafts stay as they are written when the connection comes back with another', async () => {
  await kept('Plan the trip')
  connection.setStatus('closed')
  connection.answer({ 'app.snapshot': () => makeSnapshot({ drafts: { '': 'Something else' } }) })
  connection.setStatus('open')
  await settle()
  expect(stores.drafts.read('')).toBe('Plan the trip')
})

it('drafts survive a lost connection and go to the host at the next', async () => {
  start()
  await settle()
  connection.setStatus('closed')
  stores.drafts.set('', 'kept')
  vi.advanceTimersByTime(400)
  await settle()
  connection.setStatus('open')
  await settle()
  expect([stores.drafts.read(''), connection.paramsOf('draft.set').at(-1)]).toEqual(['kept', { text: 'kept' }])
})
