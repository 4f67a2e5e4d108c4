import { describe, expect, it } from 'vitest'
import { makeConversation, makeToolRequest } from '#renderer/testing/builders.ts'
import { groupWaiting, type WaitingGroup } from './requests-page.tsx'

describe('what waits for the person', () => {
  it('stand by conversation, oldest first, and so do the groups', () => {
    const { conversationId: _none, ...outside } = makeToolRequest({ id: 'start', createdAt: 2 })
    const requests = [
      makeToolRequest({ id: 'b', createdAt: 4 }),
      outside,
      makeToolRequest({ id: 'a', createdAt: 1 }),
      makeToolRequest({ id: 'x', createdAt: 3, conversationId: 'gone' }),
    ]
    const silent = { conversationId: 'c1', callId: 'silent', server: 'files', tool: 'read', since: 3, endsAt: 9 }
    const groups = groupWaiting(requests, [silent], [makeConversation({ id: 'c1', title: 'Tidy' })])
    const ids = (group: WaitingGroup): string[] => group.waiting.map((one) => (one.kind === 'request' ? one.request.id : one.call.callId))
    expect(groups.map((group) => [group.conversationId, ids(group)])).toEqual([
      ['c1', ['a', 'silent', 'b']],
      [undefined, ['start']],
      ['gone', ['x']],
    ])
    expect(groups[0]?.title).toBe('Tidy')
  })
})
