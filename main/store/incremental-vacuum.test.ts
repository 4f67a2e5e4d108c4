import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeProfile, type TestProfile } from './store.testing.ts'

let profile: TestProfile
beforeEach(() => {
  profile = makeProfile()
})
afterEach(() => profile.dispose())

const LARGE = 24 * 1024 ** 2

/** An attachment of a chat that is then deleted for good. */
function fillAndPurge(): void {
  const { conversations, blobs, history } = profile.store()
  const sent = blobs.put(new Uint8Array(LARGE).fill(7), 'application/pdf')
  const ids = { conversationId: 'c', turnId: 't', createdAt: 1 }
  conversations.put({ id: 'c', title: 'c', model: 'm', createdAt: 1, updatedAt: 1, activity: { kind: 'idle' } })
  const attachment = { id: 'a', name: 'a.pdf', kind: 'pdf' as const, blob: sent }
  conversations.putMessage({ role: 'user', id: 'u', ...ids, text: 'Read it', attachments: [attachment] })
  history.set(['c'], { deletedAt: 1 })
  expect(history.purge(['c'])).toBe(1)
}

const bytes = async (): Promise<number> => (await profile.store().backup.measure()).database

test('what was deleted for good goes back to the disk, step by step, and nothing else goes', async () => {
  profile.store().conversations.put({ id: 'k', title: 'kept', model: 'm', createdAt: 1, updatedAt: 1, activity: { kind: 'idle' } })
  fillAndPurge()
  let steps = 1
  while (profile.store().vacuum.step(0)) steps += 1
  expect(steps).toBeGreaterThan(10)
  expect(profile.store().vacuum.step(0)).toBe(false)
  expect(profile.reopen().conversations.list()).toMatchObject([{ title: 'kept' }])
  expect(await bytes()).toBeLessThan(LARGE / 2)
  expect(await profile.store().backup.readWhole()).toBeGreaterThan(0)
})
