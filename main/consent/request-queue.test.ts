import { afterEach, describe, expect, test } from 'vitest'
import type { EventPayload } from '#app/contract/events.ts'
import { HostError } from '#app/errors.ts'
import { manualClock } from '#main/base/manual-clock.testing.ts'
import { makeProfile } from '#main/store/store.testing.ts'
import { makeToolEntry } from './broker.testing.ts'
import { createBroker } from './broker.ts'

let undo: (() => void)[] = []
afterEach(() => {
  for (const each of undo) each()
  undo = []
})

function start() {
  const profile = makeProfile()
  const clock = manualClock()
  const closed: EventPayload<'consent.closed'>[] = []
  const { rules, sampling, audit } = profile.store()
  const broker = createBroker({
    rules,
    sampling,
    audit,
    clock,
    emit: (name, payload) => void (name === 'consent.closed' && closed.push(payload as EventPayload<'consent.closed'>)),
  })
  undo.push(() => {
    broker.dispose()
    profile.dispose()
  })
  const control = new AbortController()
  const form = (part: { expiresAt?: number; callId?: string } = {}) =>
    broker.elicitForm({ server: 'files', message: 'How many?', requestedSchema: { type: 'object' }, signal: control.signal, ...part })
  const ends = () => closed.map(({ id: _id, ...end }) => end)
  return { broker, clock, control, form, ends, audit }
}

describe('a question that nobody answers', () => {
  test('expires when the server’s own time for it is over, not before, and says so', async () => {
    const { broker, clock, form, ends, audit } = start()
    const answer = form({ expiresAt: clock.now() + 60_000 })
    expect(broker.open()).toMatchObject([{ expiresAt: clock.now() + 60_000 }])
    clock.advance(59_999)
    expect(broker.open()).toHaveLength(1)
    clock.advance(1)
    expect([await answer, broker.open(), ends()]).toEqual([{ action: 'cancel' }, [], [{ outcome: 'withdrawn', because: 'expired' }]])
    expect([...audit.all()].at(-1)).toMatchObject({ decision: 'withdrawn', by: null, detail: { because: 'expired' } })
  })

  test('leaves no timer behind once it was answered, and none of ours ends one', async () => {
    const { broker, clock, form, ends } = start()
    const [first, second] = [form({ expiresAt: clock.now() + 60_000 }), form()]
    broker.answer(broker.open()[0]?.id ?? '', { kind: 'deny' })
    await first
    expect(clock.pending).toBe(0)
    clock.advance(30 * 24 * 3600_000)
    expect([broker.open().length, ends()]).toEqual([1, [{ outcome: 'denied', by: 'person' }]])
    broker.dispose()
    await second
  })

  test.each<[string, unknown, { callId?: string }, object]>([
    ['died', new HostError('server.exited', 'x'), {}, { because: 'server-gone' }],
    [
      'died in mid-call',
      new HostError('tool.outcome-unknown', 'x', { data: { because: 'server.exited' } }),
      {},
      { because: 'server-gone' },
    ],
    [
      'took it back',
      new HostError('cancelled', 'x', { data: { withdrawal: 'taken-back', word: 'w'.repeat(900) } }),
      {},
      { because: 'taken-back', word: 'w'.repeat(200) },
    ],
    ['ended its call', undefined, { callId: 'c' }, { because: 'call-ended' }],
    ['did something else', new Error('server.exited'), {}, {}],
  ])('is withdrawn, and tells every window that its server %s', async (_title, reason, part, why) => {
    const { control, form, ends } = start()
    const answer = form(part)
    control.abort(reason)
    expect([await answer, ends()]).toEqual([{ action: 'cancel' }, [{ outcome: 'withdrawn', ...why }]])
  })
})

test('one that a rule answers which was made meanwhile says that it was a rule', async () => {
  const { broker, ends } = start()
  const call = (callId: string) =>
    broker.toolCall({
      server: 'files',
      conversationId: 'c1',
      callId,
      signal: new AbortController().signal,
      tool: makeToolEntry(),
      trusted: false,
      local: true,
      arguments: {},
    })
  const calls = [call('a'), call('b')]
  broker.answer(broker.open()[0]?.id ?? '', { kind: 'allow', scope: 'always' })
  await Promise.all(calls)
  expect(ends()).toEqual([
    { outcome: 'allowed', by: 'person', scope: 'always' },
    { outcome: 'allowed', by: 'rule' },
  ])
})
