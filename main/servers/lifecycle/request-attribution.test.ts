import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '#main/base/clock.ts'
import type { ApprovedCall } from '#main/consent/approved.ts'
import { makeBroker, type TestBroker } from '#main/consent/broker.testing.ts'
import type { SignInQuestion } from '#main/consent/broker-api.ts'
import type { AuditEntry, AuditStore } from '#main/store/store-api.ts'
import { auditCall } from '../client/calls/approved-call.ts'
import type { Digest } from '../client/requests/result-digest.ts'
import { createCallActivity } from '../client/requests/running-calls.ts'
import { createRequestAttribution, type RequestAttribution } from './request-attribution.ts'

let t: TestBroker
let attribution: RequestAttribution
let pending: Promise<unknown>[]
beforeEach(() => {
  t = makeBroker()
  attribution = createRequestAttribution(t.broker)
  pending = []
})
afterEach(async () => {
  t.dispose()
  await Promise.all(pending)
})

const call = { conversationId: 'c1', callId: 'call-1' }
const where = () => t.broker.open().map(({ conversationId, callId }) => [conversationId, callId])
const told = () => t.events('consent.opened').map(({ request }) => [request.conversationId, request.callId])
function launch(): string[] {
  const asked: string[] = []
  const target = { transport: 'stdio', command: 'npx', args: [], envNames: [] } as const
  pending.push(
    attribution.broker.launch({
      server: 'demo',
      signal: t.abort.signal,
      target: { ...target, args: [], envNames: [] },
      onAsked: (id) => asked.push(id),
    }),
  )
  return asked
}
function signIn(why: SignInQuestion['why']): void {
  const url = 'https://auth.example/authorize'
  const part = {
    resource: 'https://a.example/mcp',
    issuer: 'https://auth.example',
    url,
    scopes: [],
    granted: [],
    client: 'registered',
  } as const
  pending.push(attribution.broker.signIn({ ...part, server: 'demo', why, signal: t.abort.signal }))
}

test('a launch that a call waits for is asked at that call, and its asker is told', () => {
  attribution.add(call)
  attribution.add({ conversationId: 'c2', callId: 'call-2' })
  const asked = launch()
  expect([where(), asked]).toEqual([[['c1', 'call-1']], [t.only().id]])
})

test('one that a turn waits for is asked in its conversation, and at the first call that comes to wait for it', () => {
  attribution.add({ conversationId: 'c1' })
  launch()
  attribution.add({ conversationId: 'c2', callId: 'other' })
  attribution.add(call)
  attribution.add({ conversationId: 'c1', callId: 'later' })
  expect([where(), told()]).toEqual([
    [['c1', 'call-1']],
    [
      ['c1', undefined],
      ['c1', 'call-1'],
    ],
  ])
})

test('one that nobody waited for comes to stand where somebody does, and is still answered once', async () => {
  launch()
  const { id } = t.only()
  attribution.add(call)
  expect([where(), t.only().id]).toEqual([[['c1', 'call-1']], id])
  expect([t.broker.answer(id, { kind: 'deny' }), t.broker.answer(id, { kind: 'deny' })]).toEqual([true, false])
})

test('what has gone on its way is no cause, and what the person begins by hand has none', () => {
  attribution.add(call)()
  launch()
  attribution.add(call)
  signIn('sign-in-needed')
  signIn('person-asks')
  expect(where()).toEqual([
    ['c1', 'call-1'],
    ['c1', 'call-1'],
    [undefined, undefined],
  ])
})

test('a start that a joined command waits for is its own to answer, one for an MCP App in its chat is not', () => {
  const joined = () => t.broker.open().map((request) => request.joined)
  const leave = attribution.add({ joined: 'joined-1' })
  launch()
  expect(joined()).toEqual(['joined-1'])
  leave()
  t.answer({ kind: 'deny' })
  t.broker.claim({ joined: 'joined-1' }, { conversationId: 'c1' })
  attribution.add({ ...call, view: { callId: 'call-0', tool: 'show' } })
  launch()
  expect(joined()).toEqual([undefined])
})

test.each<[string, () => () => void]>([
  ['a sign-in goes on', () => attribution.waits.pause()],
  [
    'a launch is asked',
    () => {
      launch()
      return () => t.answer({ kind: 'deny' })
    },
  ],
])('the time of a call, in its row and on record, does not run while %s', async (_, wait) => {
  const activity = createCallActivity(systemClock)
  const rows: AuditEntry[] = []
  const audit = { append: (entry: AuditEntry) => rows.push(entry) } as unknown as AuditStore // Only what a call writes.
  const leave = attribution.add({ ...call, activity })
  const record = auditCall(
    audit,
    { ...call, server: 'demo', tool: 'read', argumentsText: '{}', decision: { by: 'person' } } as ApprovedCall,
    activity,
  )
  await sleep(40)
  const over = wait()
  await sleep(400)
  over()
  await Promise.all(pending)
  record.done({}, { bytes: 0, sha256: '' } as Digest)
  leave()
  const durationMs = Number(rows.at(-1)?.detail?.['durationMs'])
  expect([durationMs >= 35 && durationMs < 390, activity.askedMs() >= 390]).toEqual([true, true])
})
