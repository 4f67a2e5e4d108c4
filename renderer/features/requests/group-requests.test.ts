import { describe, expect, it } from 'vitest'
import { makeConversation, makeToolRequest } from '#renderer/testing/builders.ts'
import { groupRequests } from './group-requests.ts'

describe('open requests', () => {
  it('stand by conversation, oldest first, and so do the groups', () => {
    const { conversationId: _none, ...outside } = makeToolRequest({ id: 'start', createdAt: 2 })
    const requests = [
      makeToolRequest({ id: 'b', createdAt: 4 }),
      outside,
      makeToolRequest({ id: 'a', createdAt: 1 }),
      makeToolRequest({ id: 'x', createdAt: 3, conversationId: 'gone' }),
    ]
    const groups = groupRequests(requests, [makeConversation({ id: 'c1', title: 'Tidy' })])
    expect(groups.map((group) => [group.conversationId, group.requests.map(({ id }) => id)])).toEqual([
      ['c1', ['a', 'b']],
      [undefined, ['start']],
      ['gone', ['x']],
    ])
    expect(groups[0]?.title).toBe('Tidy')
  })
})
