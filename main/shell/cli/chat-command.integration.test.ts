// `assent chat` with a model of a key: which model begins, and how a cut answer is told.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { say } from '../../../e2e/model-server/reply.ts'
import { startModelServer } from '../../../e2e/model-server/server.ts'
import { type CliBench, jsonLines, makeCliBench } from './cli.testing.ts'

let bench: CliBench
beforeAll(() => {
  bench = makeCliBench()
})
afterAll(() => bench.remove())

it('begins with the model of a key that is there, not with the practice model', async () => {
  const server = await startModelServer({ script: () => say('Here it is.') })
  try {
    const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'sk-ant-test' }
    const run = await bench.runShared(['chat', '--config', bench.config({}), '-p', 'hello'], env)
    expect([run.code, run.stdout, server.requests[0]?.body['model']]).toEqual([0, 'Here it is.\n', 'claude-large-1'])
  } finally {
    await server.close()
  }
})

it.each([
  ['what was answered stands, and the exit is 0', { type: 'text', text: 'Half of it' }, 0, /cut off/],
  ['where nothing was answered, the exit is 1', { type: 'thinking', thinking: 'Hm', signature: 's' }, 1, /No answer/],
] as const)('says that an answer was cut off at its token limit: %s', async (_how, block, code, words) => {
  const server = await startModelServer({ script: () => ({ kind: 'message', blocks: [block], stopReason: 'max_tokens' }) })
  try {
    const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'sk-ant-test' }
    const args = ['chat', '--config', bench.config({}), '--model', 'anthropic/claude-small-1', '-p', 'hello']
    const [json, text] = [await bench.runShared([...args, '--json'], env), await bench.runShared(args, env)]
    expect([json.code, jsonLines(json).at(-1), text.code]).toMatchObject([code, { type: 'done', state: 'idle', cut: 'max-tokens' }, code])
    for (const run of [json, text]) expect(run.stderr).toMatch(words)
  } finally {
    await server.close()
  }
})

it('says why the model of a key is not there, and begins with the practice model', async () => {
  const server = await startModelServer({ script: () => say('no'), key: 'sk-ant-right' })
  try {
    const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'sk-ant-wrong' }
    const run = await bench.runShared(['chat', '--config', bench.config({}), '-p', 'hello'], env)
    expect([run.code, run.stderr, run.stdout]).toEqual([
      0,
      expect.stringContaining('refused the key'),
      expect.stringContaining('practice model'),
    ])
  } finally {
    await server.close()
  }
})
