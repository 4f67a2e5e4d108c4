// Approvals and the account that they were given for.
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ConsentScope } from '#app/consent/request.ts'
import type { Account } from '#app/server/auth-status.ts'
import type { ApprovedCall } from './approved.ts'
import { makeBroker, type TestBroker } from './broker.testing.ts'

let t: TestBroker
beforeEach(() => {
  t = makeBroker()
})
afterEach(() => t.dispose())

const ada: Account = { id: 'a1', name: 'ada@work', signed: true }
const bob: Account = { id: 'b2', name: 'bob@home', signed: true }

/** Calls; a question is answered with `scope`, and its reason returned. */
async function call(scope?: ConsentScope): Promise<{ readonly why: string | undefined; readonly approval: ApprovedCall | undefined }> {
  const verdict = t.broker.toolCall(t.call())
  await new Promise((resolve) => setImmediate(resolve))
  const [open] = t.broker.open()
  if (open) t.broker.answer(open.id, scope ? { kind: 'allow', scope } : { kind: 'deny' })
  const made = await verdict
  return { why: open?.why.kind, approval: made.kind === 'allowed' ? made.approval : undefined }
}

test.each(['always', 'conversation'] as const)(
  'a yes “%s” as one account does not answer for another, and answers again for its own',
  async (scope) => {
    t.broker.signedInAs('files', ada)
    expect(await call(scope)).toMatchObject({ why: 'no-rule', approval: { account: ada } })
    expect((await call()).why).toBeUndefined()
    t.broker.signedInAs('files', bob, { kind: 'changed' })
    expect((await call()).why).toBe('account-changed')
    t.broker.signedInAs('files', undefined)
    expect((await call()).why).toBe('account-changed')
    t.broker.signedInAs('files', ada)
    expect(await call()).toMatchObject({ why: undefined, approval: { account: ada } })
  },
)

test('a claimed account is not the signed one of the same subject; a signed one is the claimed', async () => {
  t.broker.signedInAs('files', ada)
  await call('always')
  t.broker.signedInAs('files', { id: ada.id, name: ada.name })
  expect((await call('always')).why).toBe('account-changed')
  t.broker.signedInAs('files', ada)
  expect((await call()).why).toBeUndefined()
})

test('the name on the card is the account that the rule is for, whoever is signed in when it is pressed', async () => {
  t.broker.signedInAs('files', ada)
  const verdict = t.broker.toolCall(t.call())
  await new Promise((resolve) => setImmediate(resolve))
  expect(t.only()).toMatchObject({ account: ada })
  t.broker.signedInAs('files', bob, { kind: 'changed' })
  t.answer({ kind: 'allow', scope: 'always' })
  const made = await verdict
  expect(t.broker.rules().map(({ account }) => account)).toEqual([ada])
  // Nor is the call itself sent as bob.
  expect(made.kind === 'allowed' && t.broker.stillAllowed(made.approval)).toBe(false)
})

test('what is learnt of the same account goes to its approvals, its data and its name', async () => {
  await call('always')
  t.broker.signedInAs('files', ada, { kind: 'told', before: undefined })
  expect((await call()).why).toBeUndefined()
  const renamed = { ...ada, name: 'ada.l@work' }
  t.broker.signedInAs('files', renamed, { kind: 'told', before: ada })
  expect(t.broker.rules().map(({ account }) => account)).toEqual([renamed])
})

test('another account ends trust and shared folders; the same one does not', () => {
  const { rules, servers } = t.profile.store()
  const state = () => [servers.trusted().has('files'), rules.sharedFolders('files').length]
  t.broker.signedInAs('files', ada)
  servers.putTrust('files', 'launch')
  rules.addSharedFolders('files', { uris: ['file:///a'] })
  t.broker.signedInAs('files', undefined)
  t.broker.signedInAs('files', ada)
  expect(state()).toEqual([true, 1])
  t.broker.signedInAs('files', bob, { kind: 'changed' })
  expect(state()).toEqual([false, 0])
})

test('data of one account is not public because that of another is', async () => {
  t.broker.signedInAs('files', ada)
  const rule = await t.broker.saveRule({ effect: 'allow', server: 'files', public: true, scope: { kind: 'always' } }, { tools: [] })
  expect(rule.identity).toBe(t.broker.identity('files'))
  t.broker.signedInAs('files', bob, { kind: 'changed' })
  expect(rule.identity).not.toBe(t.broker.identity('files'))
})

test('a call waits until the stored sign-in is read', async () => {
  t.broker.signedInAs('files', ada)
  await call('always')
  t.broker.signedInAs('files', undefined)
  const loaded = Promise.withResolvers<void>()
  t.broker.accountLoading('files', loaded.promise)
  const verdict = t.broker.toolCall(t.call())
  await new Promise((resolve) => setImmediate(resolve))
  t.broker.signedInAs('files', ada)
  loaded.resolve()
  expect(await verdict).toMatchObject({ kind: 'allowed', decision: { by: 'rule' } })
})

test('the account is in the rows of question, answer and rule, and rows of before are untouched', async () => {
  await call()
  const before = t.rows()
  t.broker.signedInAs('files', ada)
  await call('always')
  const rows = t.rows()
  expect(rows.slice(0, before.length)).toEqual(before)
  expect(before.some(({ detail }) => 'account' in detail)).toBe(false)
  expect(rows.slice(before.length).map(({ kind, detail }) => [kind, detail['account']])).toEqual([
    ['request', 'ada@work'],
    ['decision', 'ada@work'],
    ['rule', 'ada@work'],
  ])
  expect(t.profile.store().audit.verify()).toBeUndefined()
})
