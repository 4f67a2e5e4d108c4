import { expect, it } from 'vitest'
import type { ConversationActivity } from '#app/chat/conversation.ts'
import type { SystemNotice } from '#app/chat/system-notification.ts'
import { manualClock } from '#main/base/manual-clock.testing.ts'
import { createUserNotifier } from './notify-user.ts'

it('calls the person once when a turn that took long ends, without a word of the chat', () => {
  const told: SystemNotice[] = []
  const clock = manualClock()
  const call = createUserNotifier((notice) => told.push(notice), clock)
  const change = (activity: ConversationActivity): void =>
    call.onEvent({
      name: 'conversation.changed',
      revision: 1,
      payload: { conversation: { id: 'c1', title: 'Secret plans', model: 'm', createdAt: 1, updatedAt: 1, activity } },
    })
  change({ kind: 'working', turnId: 't', since: clock.now() })
  clock.advance(45_000)
  change({ kind: 'working', turnId: 't', since: clock.now() - 45_000, compacting: 3 })
  expect(told).toEqual([])
  change({ kind: 'idle' })
  change({ kind: 'idle' })
  expect(told).toHaveLength(1)
  expect(told[0]?.conversationId).toBe('c1')
  expect(JSON.stringify(told)).not.toContain('Secret')
})
