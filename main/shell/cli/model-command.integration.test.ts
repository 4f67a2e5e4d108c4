// `assent model`, and `assent chat` with a model by a short name and in a chat that is there, through the real command line.
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { say } from '../../../e2e/model-server/reply.ts'
import { type ModelServer, startModelServer } from '../../../e2e/model-server/server.ts'
import { type CliBench, jsonLines, makeCliBench, onlyJson } from './cli.testing.ts'

const KEY = 'sk-lab-abcdefghijklmnop-81fd'
let bench: CliBench
let server: ModelServer
let profile = 0
beforeAll(() => {
  bench = makeCliBench()
})
afterAll(() => bench.remove())
beforeEach(async () => {
  profile += 1
  server = await startModelServer({
    script: ({ body }) => say(`heard ${(body['messages'] as { role: string }[]).filter(({ role }) => role !== 'system').length}`),
    key: KEY,
  })
})
afterEach(() => server.close())

const run = (...args: string[]) =>
  bench.runShared([...args, '--data-dir', `${bench.folder}/profile-${profile}`], { LAB_KEY: KEY, ASSENT_LOCAL_MODEL_PORTS: '' })
const add = (...more: string[]) => run('model', 'add', 'Lab', '--url', server.url, '--key-env', 'LAB_KEY', ...more)

it('adds an endpoint whose key is in a variable, lists it, chats with it in the next run without a keyring, and removes it', async () => {
  const added = await add('--json')
  expect([added.code, onlyJson(added)]).toEqual([0, { id: 'lab', models: 2 }])
  const listed = await run('model', 'list', '--json')
  expect(onlyJson(listed)).toMatchObject({
    defaultModel: 'lab/claude-large-1',
    providers: [{ id: 'anthropic' }, { id: 'lab', format: 'openai', key: 'set', keyEnv: 'LAB_KEY', models: [{}, {}] }, { id: 'practice' }],
  })
  expect(listed.stdout + added.stdout + added.stderr).not.toContain('abcdefgh')
  const chat = await run('chat', '-p', 'hello')
  expect([chat.code, chat.stdout]).toEqual([0, 'heard 1\n'])
  expect((await run('model', 'remove', 'Lab')).code).toBe(0)
  const after = onlyJson(await run('model', 'list', '--json')) as { readonly providers: readonly { readonly id: string }[] }
  expect(after.providers.map(({ id }) => id)).toEqual(['anthropic', 'practice'])
  const gone = await run('model', 'remove', 'Lab')
  expect([gone.code, gone.stderr]).toEqual([1, 'assent: There is no provider “Lab”.\n'])
})

it('adds an endpoint in the format of Anthropic, with extra headers; one that is secret goes to the keyring, and is not kept without one', async () => {
  const added = await add('--format', 'anthropic', '--header', 'X-Team=blue', '--header', 'X-Token=LAB_KEY')
  expect([added.code, added.stderr, server.listings[0]?.headers['x-token']]).toEqual([0, expect.stringContaining('No keyring'), KEY])
  const chat = await run('chat', '--model', 'large', '-p', 'hello')
  expect([chat.code, server.requests.map(({ path, headers }) => [path, headers['x-team'], headers['x-token']])]).toEqual([
    0,
    [['/v1/messages', 'blue', undefined]],
  ])
})

it('says what is wrong: a key that is not there, one that is refused, an unknown preset', async () => {
  const runs = await Promise.all([
    run('model', 'add', 'Lab', '--url', server.url, '--key-env', 'NO_KEY'),
    run('model', 'add', 'Lab', '--url', server.url),
    run('model', 'add', '--preset', 'mistrl'),
    run('model', 'add', '--preset', 'azure'),
    run('model', 'add', 'Lab', '--url', server.url, '--header', 'X-Api-Key=sk-1-2-3'),
  ])
  expect(runs.map(({ code }) => code)).toEqual([1, 1, 2, 1, 2])
  expect(runs.map(({ stderr }) => stderr.split('\n')[0])).toEqual([
    expect.stringContaining('NO_KEY is not set'),
    expect.stringContaining('requires a key'),
    expect.stringContaining('mistral'),
    expect.stringContaining('--set resource=…'),
    expect.stringContaining('looks secret'),
  ])
})

it('goes on in a chat, by its id, and prints only what is new', async () => {
  await add()
  const first = jsonLines(await run('chat', '-p', 'one', '--json')).at(-1)
  const second = await run('chat', '-p', 'two', '--conversation', String(first?.['conversationId']), '--json')
  const lines = jsonLines(second)
  expect(
    lines
      .filter(({ type }) => type === 'text')
      .map(({ text }) => text)
      .join(''),
  ).toBe('heard 3')
  expect(lines.at(-1)).toMatchObject({ type: 'done', conversationId: first?.['conversationId'] })
  const none = await run('chat', '-p', 'two', '--conversation', 'nothing')
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('no chat “nothing”')])
})

it('takes a short name that only one model has, and refuses one that several have, with their names', async () => {
  await add()
  const small = await run('chat', '--model', 'small-1', '-p', 'hello')
  expect([small.code, server.requests.at(-1)?.body['model']]).toEqual([0, 'claude-small-1'])
  const both = await run('chat', '--model', 'claude', '-p', 'hello', '--json')
  expect([both.code, onlyJson(both)]).toMatchObject([
    1,
    { error: { code: 'model.unknown', data: { candidates: ['lab/claude-large-1', 'lab/claude-small-1'] } } },
  ])
  expect(server.requests).toHaveLength(1)
})

it('a server’s own question is answered by the model that `call --model` names in short', async () => {
  await add()
  const call = await run('call', 'demo', 'summarize_invoice', '{"file":"invoice-0417.txt"}', '--model', 'small-1', '--approve', 'all')
  expect([call.code, call.stdout, server.requests.map(({ body }) => body['model'])]).toEqual([
    0,
    expect.stringContaining('heard 1'),
    ['claude-small-1'],
  ])
})
