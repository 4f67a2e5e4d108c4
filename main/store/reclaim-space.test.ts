// Bytes that were attached and never sent.
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { BlobRef } from '#app/blob.ts'
import type { Attachment } from '#app/chat/attachments/attachment.ts'
import { makeProfile, type TestProfile } from './store.testing.ts'

let profile: TestProfile
beforeEach(() => {
  profile = makeProfile()
})
afterEach(() => profile.dispose())

const bytes = (words: string): Uint8Array => Buffer.from(words)
const attachment = (blob: BlobRef): Attachment => ({ id: blob.sha256.slice(0, 8), name: 'a', kind: 'text', blob })

test('those that no draft and no message shows go with the next start; until then, and else, they stay', () => {
  const { orphanBlobs, blobs, conversations } = profile.store()
  const result = blobs.put(bytes('a result'), 'text/plain')
  const [gone, drafted, sent, shown, again] = ['gone', 'drafted', 'sent', 'shown', 'a result'].map((words) =>
    orphanBlobs.put(bytes(words), 'text/plain'),
  ) as [BlobRef, BlobRef, BlobRef, BlobRef, BlobRef]
  expect(again).toEqual(result)
  conversations.setDraftExtras('', { attachments: [attachment(drafted)] })
  orphanBlobs.sent([sent.sha256])
  conversations.put({ id: 'c', title: '', model: 'm', createdAt: 1, updatedAt: 1, activity: { kind: 'idle' } })
  // Nobody said that it was sent, but a message shows it.
  const message = { role: 'user', id: 'm', conversationId: 'c', turnId: 't', createdAt: 1, text: '' } as const
  conversations.putMessage({ ...message, attachments: [attachment(shown)] })
  const kept = (): boolean[] => {
    const store = profile.reopen()
    return [gone, drafted, sent, shown, result].map(({ sha256 }) => store.blobs.get(sha256) !== undefined)
  }
  expect(blobs.get(gone.sha256)).toBeDefined()
  expect(kept()).toEqual([false, true, true, true, true])
  profile.store().conversations.setDraftExtras('', { attachments: [] })
  expect(kept()).toEqual([false, false, true, true, true])
})
