import { expect, it, vi } from 'vitest'
import { type CallContext, createRunningCalls } from './running-calls.ts'

const { signal } = new AbortController()
const makeCall = (callId: string, part: Partial<CallContext> = {}): CallContext => ({ callId, server: 'a', tool: 't', signal, ...part })

it('the only call is known while there is no other', () => {
  const calls = createRunningCalls()
  const [first, second] = [makeCall('1'), makeCall('2')]
  const end = calls.add(first)
  expect([calls.only(), calls.get('1')]).toEqual([first, first])
  calls.add(second)
  expect(calls.only()).toBeUndefined()
  end()
  expect([calls.only(), calls.get('1')]).toEqual([second, undefined])
})

it('a server’s question belongs to the only conversation that calls it', () => {
  const calls = createRunningCalls()
  calls.add(makeCall('1', { conversationId: 'c' }))
  calls.add(makeCall('2', { conversationId: 'c' }))
  calls.add(makeCall('3', { conversationId: 'd', server: 'b' }))
  expect([calls.inOneConversation('a')?.conversationId, calls.inOneConversation('gone')]).toEqual(['c', undefined])
  calls.add(makeCall('4', { conversationId: 'd' }))
  expect(calls.inOneConversation('a')).toBeUndefined()
})

it('a call that ends is overdue no longer', () => {
  const onOverdue = vi.fn()
  const calls = createRunningCalls(onOverdue)
  const end = calls.add(makeCall('1', { conversationId: 'c' }))
  const overdue = { conversationId: 'c', callId: '1', server: 'a', tool: 't', since: 1, endsAt: 2 }
  calls.setOverdue('1', { since: 1, endsAt: 2 })
  expect(calls.overdue()).toEqual([overdue])
  end()
  expect(onOverdue.mock.calls).toEqual([
    [[overdue], overdue],
    [[], undefined],
  ])
})

it('a log message, which names no call, reaches an agent only while all calls are its own', () => {
  const calls = createRunningCalls()
  const [mine, other] = [vi.fn(), vi.fn()]
  const forwarded = (callId: string, log?: () => void) => makeCall(callId, { forward: { roots: () => [], ...(log ? { log } : {}) } })
  expect(calls.logReceiver()).toBeUndefined()
  calls.add(forwarded('1', mine))
  calls.add(forwarded('2', mine))
  expect(calls.logReceiver()).toBe(mine)
  for (const stranger of [forwarded('3', other), forwarded('4'), makeCall('5')]) {
    const end = calls.add(stranger)
    expect(calls.logReceiver()).toBeUndefined()
    end()
  }
  expect(calls.logReceiver()).toBe(mine)
})
