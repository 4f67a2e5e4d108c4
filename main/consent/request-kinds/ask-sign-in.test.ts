import { afterEach, beforeEach, expect, test } from 'vitest'
import { spend } from '../approved.ts'
import { makeBroker, type TestBroker } from '../broker.testing.ts'
import type { SignInQuestion } from '../broker-api.ts'

let t: TestBroker
beforeEach(() => {
  t = makeBroker()
})
afterEach(() => t.dispose())

const url = 'https://auth.tracker.example/authorize?client_id=c&state=hunter2&code_challenge=challenge9'
const question = (part: Partial<SignInQuestion> = {}): SignInQuestion => ({
  server: 'tracker',
  conversationId: 'c1',
  callId: 'call-1',
  signal: t.abort.signal,
  resource: 'https://mcp.tracker.example/mcp',
  issuer: 'https://auth.tracker.example',
  url,
  scopes: ['write'],
  granted: ['read'],
  client: 'registered',
  why: 'more-scopes',
  ...part,
})
const decisions = (): unknown[] => t.rows().map(({ kind, server, decision, by }) => [kind, server, decision, by])

test('a sign-in shows whose page it is and opens exactly the address that was shown, once', async () => {
  const verdict = t.broker.signIn(question())
  expect(t.only()).toMatchObject({
    kind: 'sign-in',
    server: 'tracker',
    conversationId: 'c1',
    callId: 'call-1',
    why: { kind: 'more-scopes' },
    resource: 'https://mcp.tracker.example/mcp',
    issuer: 'https://auth.tracker.example',
    url,
    scopes: ['write'],
    granted: ['read'],
    client: 'registered',
  })
  t.answer({ kind: 'allow', scope: 'always' })
  const answered = await verdict
  if (answered.kind !== 'allowed') throw new Error(answered.kind)
  expect([answered.decision, spend(answered.approval)]).toEqual([{ allowed: true, by: 'person', scope: 'once' }, { url }])
  expect(() => spend(answered.approval)).toThrow()
})

test('the record holds issuer, resource and scopes, and nothing of the address', async () => {
  const verdict = t.broker.signIn(question())
  t.answer({ kind: 'allow', scope: 'once' })
  await verdict
  expect(decisions()).toEqual([
    ['request', 'tracker', null, null],
    ['decision', 'tracker', 'allowed', 'person'],
  ])
  for (const { detail } of t.rows())
    expect(detail).toMatchObject({
      request: 'sign-in',
      issuer: 'https://auth.tracker.example',
      resource: 'https://mcp.tracker.example/mcp',
      scopes: ['write'],
      granted: ['read'],
    })
  expect(JSON.stringify(t.rows())).not.toMatch(/hunter2|challenge9|authorize/)
})

test('every sign-in is asked for: no answer stands for the next one', async () => {
  const before = t.broker.signIn(question())
  t.answer({ kind: 'allow', scope: 'always' })
  await before
  const next = t.broker.signIn(question())
  expect([t.only().kind, t.broker.rules()]).toEqual(['sign-in', []])
  t.answer({ kind: 'deny', word: 'wrong account', stop: true })
  expect(await next).toEqual({
    kind: 'denied',
    decision: { allowed: false, by: 'person', scope: 'once', word: 'wrong account' },
    stop: true,
  })
  expect(t.events('consent.closed').map(({ outcome }) => outcome)).toEqual(['allowed', 'denied'])
})

test('a sign-in that is no longer wanted is withdrawn, before and after it is put', async () => {
  const verdict = t.broker.signIn(question())
  t.abort.abort()
  expect(await verdict).toEqual({ kind: 'withdrawn' })
  expect(await t.broker.signIn(question())).toEqual({ kind: 'withdrawn' })
  expect(decisions()).toEqual([
    ['request', 'tracker', null, null],
    ['decision', 'tracker', 'withdrawn', null],
  ])
})

test.each(['file:///etc/passwd', 'javascript:alert(1)', 'https://bank.example@evil.test/', 'ms-settings:x', 'nonsense'])(
  'a page at %s is refused without a question',
  async (address) => {
    expect(await t.broker.signIn(question({ url: address }))).toMatchObject({ kind: 'denied', decision: { by: 'policy' } })
    expect([t.asked, decisions()]).toEqual([[], [['decision', 'tracker', 'denied', 'policy']]])
    expect(JSON.stringify(t.rows())).not.toContain('passwd')
  },
)

test('a page is shown as it will be opened', () => {
  void t.broker.signIn(question({ url: 'https://bücher.example/login' }))
  expect(t.only()).toMatchObject({ url: 'https://xn--bcher-kva.example/login' })
})

test('what the command line answers is on record as its own', async () => {
  const broker = t.restart(() => ({ kind: 'allow', scope: 'once' }))
  expect(await broker.signIn(question())).toMatchObject({ kind: 'allowed', decision: { by: 'command-line', scope: 'once' } })
  expect(t.rows().at(-1)).toMatchObject({ decision: 'allowed', by: 'command-line', detail: { issuer: 'https://auth.tracker.example' } })
  broker.dispose()
})
