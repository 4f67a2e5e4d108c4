import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { makeSnapshot } from '#renderer/testing/builders.ts'
import { createFakeLink, type FakeLink } from '#renderer/testing/fake-link.ts'
import { settle } from '#renderer/testing/render.tsx'
import { createStores, type Stores } from './stores.ts'

let link: FakeLink
let stores: Stores

function start(): void {
  link = createFakeLink()
  stores = createStores(link)
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
  expect(link.paramsOf('draft.set')).toEqual([])
  vi.advanceTimersByTime(100)
  expect(link.paramsOf('draft.set')).toEqual([{ conversationId: 'c1', text: 'ab' }])
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
  expect(link.paramsOf('draft.set')).toEqual([{ conversationId: 'c1', text: '' }, { text: 'half a thought' }])
  stores.dispose()
  start()
  expect(stores.drafts.read('')).toBe('')
  await settle()
})

it('drafts are not overwritten by older words of the host while some are unkept', async () => {
  start()
  await settle()
  stores.drafts.set('', 'mine')
  link.tell('draft.changed', { text: 'theirs' })
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
  link.tell('draft.changed', { text })
}

it('drafts of two windows are shown in both, as far as nothing that was written in one is lost', async () => {
  await kept('Plan the trip')
  link.tell('draft.changed', { text: 'Plan the trip to Lisbon' })
  expect(stores.drafts.read('')).toBe('Plan the trip to Lisbon')
  link.tell('draft.changed', { text: 'Something else' })
  expect(stores.drafts.read('')).toBe('Plan the trip to Lisbon')
  link.tell('draft.changed', { conversationId: 'c1', text: 'theirs' })
  expect(stores.drafts.read('c1')).toBe('theirs')
})

it('drafts go when the other window sent what this one shows, and stay when it sent something else', async () => {
  await kept('Plan the trip')
  link.tell('draft.changed', { text: '' })
  expect(stores.drafts.read('')).toBe('')
  stores.drafts.set('', 'Fix the sink')
  vi.advanceTimersByTime(400)
  await settle()
  for (const text of ['Fix the sink', 'Something else', '']) link.tell('draft.changed', { text })
  await settle()
  expect([stores.drafts.read(''), link.paramsOf('draft.set').at(-1)]).toEqual(['Fix the sink', { text: 'Fix the sink' }])
})

it('drafts stay as they are written when the connection comes back with another', async () => {
  await kept('Plan the trip')
  link.setStatus('closed')
  link.answer({ 'app.snapshot': () => makeSnapshot({ drafts: { '': 'Something else' } }) })
  link.setStatus('open')
  await settle()
  expect(stores.drafts.read('')).toBe('Plan the trip')
})

it('drafts survive a lost connection and go to the host at the next', async () => {
  start()
  await settle()
  link.setStatus('closed')
  stores.drafts.set('', 'kept')
  vi.advanceTimersByTime(400)
  await settle()
  link.setStatus('open')
  await settle()
  expect([stores.drafts.read(''), link.paramsOf('draft.set').at(-1)]).toEqual(['kept', { text: 'kept' }])
})
