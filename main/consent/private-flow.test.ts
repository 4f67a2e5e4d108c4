import { rmSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { AssistantMessage, ToolCall } from '#app/chat/message.ts'
import type { ConsentAnswer, ToolCallRequest } from '#app/consent/request.ts'
import type { ContentMarks } from '#app/consent/taint/private-flow.ts'
import { openDatabase } from '#main/store/database/database.ts'
import { migrate } from '#main/store/database/migrate.ts'
import { migrations, oldestVersion } from '#main/store/database/schema.ts'
import { makeBroker, makeToolEntry, type TestBroker } from './broker.testing.ts'

let t: TestBroker
beforeEach(() => {
  t = makeBroker()
})
afterEach(() => t.dispose())

const both = { private: true, untrusted: true } as const
const mail = { kind: 'server', server: 'mail' } as const
const chat = (id: string) => ({
  id,
  title: 'Chat',
  createdAt: 1,
  updatedAt: 1,
  activity: { kind: 'idle' as const },
  model: 'practice/practice',
})

function answerWith(conversationId: string, server: string, marks?: ContentMarks): AssistantMessage {
  const decision = { allowed: true, by: 'person', scope: 'once' } as const
  const result = { content: [{ type: 'text' as const, text: 'A letter.' }], isError: false, bytes: 1 }
  const call: ToolCall = {
    id: `${conversationId}-${server}`,
    providerId: 'p',
    modelName: 'n',
    server,
    tool: 'read',
    arguments: {},
    ...(marks ? { marks } : {}),
    state: { kind: 'done', decision, startedAt: 1, durationMs: 1, result },
  }
  const base = { id: `m-${conversationId}-${server}`, conversationId, turnId: 't', createdAt: 1, model: 'practice/practice' }
  return { role: 'assistant', ...base, parts: [{ kind: 'tool-call', call }], state: 'done' }
}

/** A chat in which a server said something. */
function read(conversationId: string, server = 'mail', marks: ContentMarks = both): void {
  const { conversations } = t.profile.store()
  if (!conversations.get(conversationId)) conversations.put(chat(conversationId))
  conversations.putMessage(answerWith(conversationId, server, marks))
}

const readsWeb = makeToolEntry({ name: 'fetch', annotations: { readOnlyHint: true } })
const fetchIn = (conversationId: string, broker = t.broker, part: Parameters<TestBroker['call']>[0] = {}) =>
  broker.toolCall(t.call({ server: 'web', tool: readsWeb, trusted: true, conversationId, ...part }))

async function allowFetch(): Promise<void> {
  t.profile.store().rules.put({ id: 'fetch', effect: 'allow', server: 'web', tool: 'fetch', scope: { kind: 'always' }, createdAt: 1 })
}

async function answered(conversationId: string, answer: ConsentAnswer) {
  const verdict = fetchIn(conversationId)
  expect(t.only()).toMatchObject({ why: { kind: 'flow' }, privateFlow: { from: [mail], untrusted: [mail] } })
  t.answer(answer)
  return verdict
}

const isAsked = async (conversationId: string): Promise<boolean> => {
  const abort = new AbortController()
  const verdict = t.broker.toolCall(t.call({ server: 'web', tool: readsWeb, trusted: true, conversationId, signal: abort.signal }))
  const asked = t.broker.open().length > 0
  abort.abort()
  await verdict
  return asked
}

test.each<[ConsentAnswer, boolean, boolean]>([
  [{ kind: 'allow', scope: 'once' }, true, true],
  [{ kind: 'allow', scope: 'conversation' }, false, true],
  [{ kind: 'allow', scope: 'always' }, false, false],
])('an answer counts as long as it says: %o', async (answer, hereAgain, elsewhere) => {
  await allowFetch()
  read('c1')
  read('c2')
  expect(await answered('c1', answer)).toMatchObject({ kind: 'allowed', decision: { by: 'person' } })
  expect([await isAsked('c1'), await isAsked('c2')]).toEqual([hereAgain, elsewhere])
})

test('a pair that is fine is listed, on record, ends when it is revoked, and with either of its servers', async () => {
  await allowFetch()
  read('c1')
  await answered('c1', { kind: 'allow', scope: 'always' })
  const [, pair] = t.broker.rules()
  expect(pair).toMatchObject({ effect: 'allow', server: 'web', flow: mail, scope: { kind: 'always' } })
  expect(t.rows().find(({ kind }) => kind === 'rule')).toMatchObject({ server: 'web', tool: null, decision: 'added', by: 'person' })
  t.broker.removeRule(pair?.id ?? '')
  expect(await isAsked('c1')).toBe(true)
  t.broker.restoreRule(pair?.id ?? '')
  expect(await isAsked('c1')).toBe(false)
  t.broker.endApprovals('mail', 'server-removed')
  expect(t.broker.rules().map(({ id }) => id)).toEqual(['fetch'])
})

test('one answer for all that was read answers the others that wait', async () => {
  await allowFetch()
  read('c1')
  read('c1', 'files', { private: true })
  const [first, second] = [fetchIn('c1'), fetchIn('c1', t.broker, { callId: 'call-2' })]
  const [asked] = t.broker.open() as ToolCallRequest[]
  expect(asked?.privateFlow?.from).toEqual([mail, { kind: 'server', server: 'files' }])
  t.broker.answer(asked?.id ?? '', { kind: 'allow', scope: 'conversation' })
  expect([(await first).kind, (await second).kind, t.broker.open().length]).toEqual(['allowed', 'allowed', 0])
})

test('where no rule allows the tool, “for this conversation” answers for both, and “from now on” for the pair alone', async () => {
  read('c1')
  const verdict = fetchIn('c1')
  expect(t.only()).toMatchObject({ why: { kind: 'no-rule' }, privateFlow: { from: [mail] } })
  t.answer({ kind: 'allow', scope: 'conversation' })
  await verdict
  expect([await isAsked('c1'), t.broker.rules().map(({ tool, flow }) => tool ?? flow)]).toEqual([false, ['fetch', mail]])
  read('c2')
  const other = fetchIn('c2')
  t.answer({ kind: 'allow', scope: 'always' })
  await other
  expect(t.broker.rules().at(-1)).toMatchObject({ server: 'web', flow: mail, scope: { kind: 'always' } })
  expect(t.broker.rules().at(-1)?.tool).toBeUndefined()
})

test('a tool that publishes is allowed for the conversation with what its own server returns there', async () => {
  read('c1', 'mail', { untrusted: true })
  const create = { server: 'calendar', tool: makeToolEntry({ name: 'create' }), trusted: true }
  const first = fetchIn('c1', t.broker, create)
  expect(t.only()).toMatchObject({ ownFlow: true })
  t.answer({ kind: 'allow', scope: 'conversation' })
  await first
  read('c1', 'calendar')
  expect(await fetchIn('c1', t.broker, create)).toMatchObject({ kind: 'allowed', decision: { by: 'rule' } })
})

test('a server that is marked public gives nothing private, from then on and of before', async () => {
  await allowFetch()
  read('c1')
  await t.broker.saveRule({ effect: 'allow', server: 'mail', public: true, scope: { kind: 'always' } }, { tools: [] })
  expect(await isAsked('c1')).toBe(false)
})

test('what is read in a folder that is marked public is not private', async () => {
  const folder = t.profile.dataDir
  await t.broker.saveRule(
    {
      effect: 'allow',
      server: 'files',
      public: true,
      conditions: [{ kind: 'path-inside', argument: '/path', folder }],
      scope: { kind: 'always' },
    },
    { tools: [] },
  )
  t.profile.store().rules.put({ id: 'r', effect: 'allow', server: 'files', tool: 'read', scope: { kind: 'always' }, createdAt: 1 })
  const tool = makeToolEntry({ name: 'read', annotations: { readOnlyHint: true, openWorldHint: false } })
  const marksAt = async (path: string) => {
    const verdict = await t.broker.toolCall(t.call({ tool, trusted: true, arguments: { path } }))
    return verdict.kind === 'allowed' && verdict.marks
  }
  expect([await marksAt(`${folder}/a.txt`), await marksAt('/etc/passwd'), await marksAt(`${folder}/../a.txt`)]).toEqual([
    {},
    { private: true },
    { private: true },
  ])
})

test('the command line’s policy answers it: all allows, none denies', async () => {
  await allowFetch()
  read('c1')
  const verdictOf = async (answer: ConsentAnswer) =>
    (
      await fetchIn(
        'c1',
        t.restart(() => answer),
      )
    ).kind
  expect([await verdictOf({ kind: 'allow', scope: 'once' }), await verdictOf({ kind: 'deny' })]).toEqual(['allowed', 'denied'])
})

test('a profile of before: what its chats hold counts, and its rules stay', async () => {
  const { path } = t.profile
  t.profile.store().close()
  const step = migrations.indexOf('SELECT 1')
  for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true })
  const old = openDatabase(path)
  old.prepareForWriting()
  migrate(old, migrations.slice(0, step), oldestVersion)
  const rule = { id: 'fetch', effect: 'allow', server: 'web', tool: 'fetch', scope: { kind: 'always' }, createdAt: 1 }
  old.run('INSERT INTO rules (id, server, body) VALUES (?, ?, ?)', 'fetch', 'web', JSON.stringify(rule))
  old.run('INSERT INTO conversations (id, updated_at, activity, body) VALUES (?, ?, ?, ?)', 'c1', 1, 'idle', JSON.stringify(chat('c1')))
  const message = answerWith('c1', 'mail')
  old.run('INSERT INTO messages (id, conversation_id, state, body) VALUES (?, ?, ?, ?)', message.id, 'c1', 'done', JSON.stringify(message))
  old.run('UPDATE conversations SET leaf = ?', message.id)
  old.close()
  t.profile.loseKey()
  t.profile.reopen()
  const verdict = fetchIn('c1', t.restart())
  await new Promise((resolve) => setImmediate(resolve))
  expect(t.events('consent.opened').map(({ request }) => request)).toMatchObject([{ why: { kind: 'flow' }, privateFlow: { from: [mail] } }])
  t.abort.abort()
  await verdict
})
