import { describe, expect, it } from 'vitest'
import { createFrameGuard, floodSize, largestMessage } from './frame-guard.ts'

const circle: { jsonrpc: '2.0'; method: string; params?: unknown } = { jsonrpc: '2.0', method: 'x' }
circle.params = circle

describe('what of a view’s messages is heard', () => {
  it.each<[string, unknown]>([
    ['a request', { jsonrpc: '2.0', id: 1, method: 'ping' }],
    ['a notification', { jsonrpc: '2.0', method: 'ui/notifications/initialized', params: {} }],
    ['an answer', { jsonrpc: '2.0', id: 'a', result: {} }],
    ['an error', { jsonrpc: '2.0', id: 0, error: { code: 1, message: 'x' } }],
  ])('%s', (_title, data) => {
    expect(createFrameGuard(() => 0).hear(data)).toEqual({ kind: 'message', message: data })
  })

  it.each<[string, unknown]>([
    ['nothing', null],
    ['text', '{"jsonrpc":"2.0","id":1,"method":"ping"}'],
    ['a list of messages', [{ jsonrpc: '2.0', id: 1, method: 'ping' }]],
    ['another version', { jsonrpc: '1.0', id: 1, method: 'ping' }],
    ['no version', { id: 1, method: 'ping' }],
    ['an id that is none', { jsonrpc: '2.0', id: {}, method: 'ping' }],
    ['a method that is none', { jsonrpc: '2.0', id: 1, method: 7 }],
    ['a method without end', { jsonrpc: '2.0', id: 1, method: 'x'.repeat(201) }],
    ['an answer to nothing', { jsonrpc: '2.0', result: {} }],
    ['both a result and an error', { jsonrpc: '2.0', id: 1, result: {}, error: {} }],
    ['what is no JSON', circle],
    ['a number that JSON has not', { jsonrpc: '2.0', method: 'x', params: { n: 1n } }],
    ['what is too large', { jsonrpc: '2.0', method: 'x', params: { text: 'x'.repeat(largestMessage) } }],
  ])('not %s', (_title, data) => {
    expect(createFrameGuard(() => 0).hear(data)).toEqual({ kind: 'dropped' })
  })

  it('only so many at a time, and again when time has passed; a flood ends it', () => {
    let time = 0
    const guard = createFrameGuard(() => time)
    const say = (times: number) => Array.from({ length: times }, () => guard.hear({ jsonrpc: '2.0', method: 'x' }).kind)
    const first = say(floodSize)
    expect([first.includes('message'), first.at(-1), first.includes('flood')]).toEqual([true, 'dropped', false])
    time = 2000
    expect(say(1)).toEqual(['message'])
    expect(say(floodSize).at(-1)).toBe('flood')
  })
  it('ends by a flood that a slow computer hears at a thousand a second, and not by 200 a second', () => {
    const heard = (each: number): string[] => {
      let time = 0
      const guard = createFrameGuard(() => time)
      return Array.from({ length: 20_000 }, () => {
        time += 1000 / each
        return guard.hear({ jsonrpc: '2.0', method: 'x' }).kind
      })
    }
    expect([heard(1000).includes('flood'), heard(200).includes('flood')]).toEqual([true, false])
  })
})
