import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '#app/json.ts'
import type { LogWord } from '../requests/running-calls.ts'
import { createNotificationHub, type NotificationName } from './notifications.ts'

const notice = (method: string, params?: JsonObject) => ({ jsonrpc: '2.0' as const, method, ...(params ? { params } : {}) })
const word = (data: Json) => notice('notifications/message', { level: 'info', data })

/** A connection of which every word is listened to, and what was heard. */
function heard(...methods: readonly string[]) {
  const notices = createNotificationHub()
  const told: unknown[] = []
  for (const method of methods) notices.listen(method as NotificationName, (what: unknown) => void told.push([method, what]))
  return { notices, told }
}

const all = ['message', 'resources/updated', 'tools/list_changed', 'resources/list_changed', 'prompts/list_changed'].map(
  (name) => `notifications/${name}`,
)

describe('word of a server', () => {
  it('goes to whoever listens for it, and not to the SDK', () => {
    const { notices, told } = heard(...all)
    const words = [
      notice('notifications/message', { level: 'error', logger: 'a', data: { b: 1 } }),
      notice('notifications/resources/updated', { uri: 'x://y', _meta: {} }),
      ...all.slice(2).map((method) => notice(method)),
    ]
    expect(words.map((each) => notices.hear(each))).toEqual(words.map(() => true))
    expect(told).toEqual([
      ['notifications/message', { level: 'error', logger: 'a', data: { b: 1 } }],
      ['notifications/resources/updated', 'x://y'],
      ...all.slice(2).map((method) => [method, true]),
    ])
  })

  it.each(['cancelled', 'elicitation/complete', 'subscriptions/acknowledged'])('that the SDK waits for goes on to it: %s', (name) => {
    expect(heard(...all).notices.hear(notice(`notifications/${name}`, { requestId: 1 }))).toBe(false)
  })

  it.each(['notifications/unheard-of', 'notifications/initialized', '__proto__', ''])(
    'that nobody waits for goes nowhere: %s',
    (method) => {
      const { notices, told } = heard(...all)
      expect([notices.hear(notice(method, { a: 1 })), told]).toEqual([true, []])
    },
  )

  it.each([
    ['notifications/message', {}],
    ['notifications/message', { level: 'loud', data: 1 }],
    ['notifications/message', { level: 'info', logger: 7, data: 1 }],
    ['notifications/message', { level: 'info', data: JSON.parse('['.repeat(600) + ']'.repeat(600)) }],
    ['notifications/resources/updated', {}],
    ['notifications/resources/updated', { uri: ['x'] }],
  ])('that is not as it must be is passed over: %s', (method, params) => {
    const { notices, told } = heard(...all)
    expect([notices.hear(notice(method, params)), told]).toEqual([true, []])
  })

  it('for the log that came before anybody listened is told then, in order, and not without end', () => {
    const { notices } = heard()
    for (let n = 0; n < 1000; n += 1) notices.hear(word(n))
    const data: unknown[] = []
    notices.listen('notifications/message', (each: LogWord) => void data.push(each.data))
    notices.hear(word('later'))
    expect(data).toEqual([...Array.from({ length: 100 }, (_, n) => n), 'later'])
  })
})
