// The agent loop over a real store and a real broker, with a scripted model and scripted servers.
import { ProtocolError } from '@modelcontextprotocol/client'
import { afterEach, describe, expect, test } from 'vitest'
import { HostError } from '#app/errors.ts'
import type { JsonObject } from '#app/json.ts'
import { ALLOW, calls, done, makeChat, results, says, type TestChat, type TestChatOptions, text, until } from './chat.testing.ts'

const open: TestChat[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((kit) => kit.dispose()))
})
function make(options: TestChatOptions): TestChat {
  const kit = makeChat(options)
  open.push(kit)
  return kit
}
const allowAll = (): typeof ALLOW => ALLOW
const never = (): Promise<never> => new Promise(() => {})

describe('a message', () => {
  test('is kept, answered, and the conversation comes to rest under its first line', async () => {
    const kit = make({
      script: [[{ type: 'usage', usage: { inputTokens: 3, outputTokens: 4, cacheReadTokens: 5 } }, text('Hello'), done()]],
    })
    const id = await kit.turn('Greet me\nnow')
    expect(kit.conversation(id)).toMatchObject({
      title: 'Greet me',
      model: 'anthropic/scripted',
      activity: { kind: 'idle' },
      contextTokens: 12,
    })
    expect(kit.messages(id)).toMatchObject([
      { role: 'user', text: 'Greet me\nnow' },
      { role: 'assistant', parts: [{ kind: 'text', text: 'Hello' }], state: 'done', usage: { inputTokens: 3 } },
    ])
    expect(kit.clock.pending).toBe(0)
  })

  test('is committed before it is told as done', async () => {
    const kit = make({ script: [[text('One '), text('two '), text('three'), done()]] })
    const id = await kit.turn('Count')
    expect(kit.answers(id)).toMatchObject([{ parts: [{ kind: 'text', text: 'One two three' }], state: 'done' }])
    expect(kit.events('message.changed').at(-1)?.message).toEqual(kit.answers(id)[0])
  })

  test('waits while the host still reads its keys, and can be stopped in that time', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const kit = make({ script: [says('Here')], loading: promise })
    const { conversationId: stopped } = kit.chat.send({ text: 'Never mind' })
    const { conversationId: id } = kit.chat.send({ text: 'Are you there?' })
    await Promise.resolve()
    expect(kit.conversation(id).activity.kind).toBe('working')
    kit.chat.stop(stopped)
    await kit.chat.idle(stopped)
    resolve()
    await kit.chat.idle(id)
    expect([kit.answers(stopped), kit.answers(id)]).toMatchObject([[], [{ parts: [{ kind: 'text', text: 'Here' }], state: 'done' }]])
  })

  test('gives the model back what it thought, and whatever proves it', async () => {
    const proof = { signature: 'reasoning', details: [{ type: 'reasoning.encrypted' }] }
    const kit = make({
      script: [[{ type: 'thinking', index: 9, text: 'Hm' }, { type: 'thinking-end', index: 9, ...proof }, text('Hi'), done()], says('')],
    })
    await kit.turn('And now?', await kit.turn('Go'))
    expect(kit.requests[1]?.messages[1]?.content[0]).toEqual({ type: 'thinking', text: 'Hm', ...proof })
  })

  test('is refused for a conversation that is not there', () => {
    const kit = make({ script: [] })
    expect(() => kit.chat.send({ text: 'Two', conversationId: 'x' })).toThrow(
      expect.objectContaining({ code: 'chat.unknown-conversation' }),
    )
  })

  test('goes with what the person says to the model in this conversation, which new ones begin with', async () => {
    const kit = make({ script: [says('a'), says('b')] })
    kit.settings = { ...kit.settings, chatParameters: { systemPrompt: 'Rhyme.', temperature: 0.5, maxTokens: 100, effort: 'low' } }
    const id = await kit.turn('One')
    expect(kit.requests[0]).toMatchObject({
      temperature: 0.5,
      maxTokens: 100,
      effort: 'low',
      system: expect.stringMatching(/person.*\nRhyme\./),
    })
    const { parameters: _before, ...plain } = kit.conversation(id)
    kit.store.conversations.put(plain)
    await kit.turn('Two', id)
    expect([kit.requests[1]?.system.includes('Rhyme'), kit.requests[1]]).toMatchObject([false, { effort: 'auto' }])
    expect(kit.requests[1]).not.toHaveProperty('temperature')
  })

  test('may be sent by whoever hears that the conversation is idle', async () => {
    const kit = make({ script: [says('One'), says('Two')] })
    const id = await kit.turn('One')
    await kit.turn('Two', id)
    expect(kit.answers(id).map(({ state }) => state)).toEqual(['done', 'done'])
  })
})

describe('a tool call', () => {
  test('waits for the person, runs the bytes that were shown, and its result reaches the model and the record', async () => {
    const kit = make({ script: [calls(['files__read', '{"path": "/a"}']), says('Done')] })
    const { conversationId: id } = kit.chat.send({ text: 'Read' })
    const [question] = await kit.asked()
    expect(question).toMatchObject({ kind: 'tool-call', server: 'files', tool: 'read', conversationId: id, arguments: { path: '/a' } })
    expect(kit.conversation(id).activity).toMatchObject({ kind: 'waiting', requests: 1 })
    expect(kit.states(id)).toEqual(['waiting'])
    expect(kit.sent).toEqual([])
    await kit.answer(ALLOW)
    await kit.chat.idle(id)
    expect(kit.sent.map(({ tool, argumentsText }) => [tool, JSON.parse(argumentsText) as JsonObject])).toEqual([['read', { path: '/a' }]])
    expect(results(kit)).toEqual([{ text: 'ok', isError: false }])
    expect(kit.toolCalls(id)).toMatchObject([{ server: 'files', tool: 'read', arguments: { path: '/a' }, state: { kind: 'done' } }])
    const rows = kit.rows().filter(({ kind }) => kind === 'call' || kind === 'result')
    expect(rows.map(({ kind, decision, by }) => [kind, decision, by])).toEqual([
      ['call', 'sent', 'person'],
      ['result', 'done', null],
    ])
    expect(rows[1]?.detail).toMatchObject({ bytes: 41, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) })
  })

  test('runs beside 31 others; what is beyond is not run, and the model reads why', async () => {
    const many = Array.from({ length: 40 }, () => 'files__read' as const)
    const kit = make({ script: [calls(...many), says('')], policy: allowAll })
    const id = await kit.turn('Read them all')
    const states = kit.states(id)
    expect([kit.sent.length, states.filter((kind) => kind === 'done').length, states.filter((kind) => kind === 'failed').length]).toEqual([
      32, 32, 8,
    ])
    expect(results(kit).at(-1)).toMatchObject({ isError: true, text: expect.stringContaining('tool.too-many') })
  })

  test('is on record before it is sent', async () => {
    const kinds: string[][] = []
    const kit: TestChat = make({
      script: [calls('files__read'), says('')],
      policy: allowAll,
      run: () => {
        kinds.push(kit.rows().map(({ kind }) => kind))
        return Promise.resolve({ content: [] })
      },
    })
    await kit.turn('Read')
    expect(kinds.map((row) => row.includes('call'))).toEqual([true])
  })

  test('runs beside the others of its answer', async () => {
    let running = 0
    let most = 0
    const both = Promise.withResolvers<void>()
    const run = async (): Promise<JsonObject> => {
      running += 1
      most = Math.max(most, running)
      if (running === 2) both.resolve()
      await both.promise
      running -= 1
      return { content: [] }
    }
    const kit = make({ script: [calls('files__read', 'files__write'), says('')], policy: allowAll, run })
    const id = await kit.turn('Both')
    expect([most, kit.states(id)]).toEqual([2, ['done', 'done']])
  })

  test('that the person edited runs as edited, and the model is told', async () => {
    const kit = make({ script: [calls(['files__write', '{"path": "/etc"}']), says('')] })
    const { conversationId: id } = kit.chat.send({ text: 'Write' })
    await kit.answer({ kind: 'allow', scope: 'once', arguments: { path: '/tmp' } })
    await kit.chat.idle(id)
    expect(kit.sent[0]?.argumentsText).toContain('/tmp')
    expect(kit.toolCalls(id)[0]?.arguments).toEqual({ path: '/tmp' })
    expect(results(kit)[0]?.text).toContain('{"path":"/tmp"}')
  })

  test('that is denied hands the person’s word to the model, and nothing runs', async () => {
    const kit = make({ script: [calls('files__write'), says('')] })
    const { conversationId: id } = kit.chat.send({ text: 'Write' })
    await kit.answer({ kind: 'deny', word: 'use the other folder' })
    await kit.chat.idle(id)
    expect(kit.sent).toEqual([])
    expect(results(kit)).toEqual([{ text: expect.stringContaining('use the other folder'), isError: true }])
  })

  test('that is denied for good ends the turn, and the others with it', async () => {
    const kit = make({ script: [calls('files__read', 'files__write')] })
    const { conversationId: id } = kit.chat.send({ text: 'Both' })
    await kit.asked(2)
    await kit.answer({ kind: 'deny', stop: true })
    await kit.chat.idle(id)
    expect(kit.states(id)).toEqual(['denied', 'cancelled'])
    expect([kit.broker.open(), kit.requests.length, kit.conversation(id).activity]).toEqual([[], 1, { kind: 'idle' }])
  })

  test.each<[string, string, string, string]>([
    ['of a tool that is not there', 'files__fly', '{}', 'tool.unknown'],
    ['with broken arguments', 'files__read', '{"path": "/a', 'tool.arguments-invalid'],
    ['with arguments that are no object', 'files__read', '[1]', 'tool.arguments-invalid'],
  ])('%s is answered without asking anybody', async (_, name, input, code) => {
    const kit = make({ script: [calls([name, input]), says('')] })
    const id = await kit.turn('Go')
    expect(kit.toolCalls(id)[0]?.state).toMatchObject({ kind: 'failed', error: { code } })
    expect(results(kit)).toEqual([{ text: expect.stringContaining(code), isError: true }])
    expect([kit.rows(), kit.sent]).toEqual([[], []])
  })

  test.each<[string, Error, string, string]>([
    ['times out', new HostError('tool.timeout', 'Too slow.'), 'failed', 'tool.timeout'],
    ['cannot be reached', new HostError('server.exited', 'It is gone.'), 'failed', 'server.exited'],
    ['is refused by its server', new ProtocolError(-32602, 'bad argument'), 'failed', 'bad argument'],
    ['loses its connection', new HostError('tool.outcome-unknown', 'Lost.'), 'unknown', 'nobody knows'],
  ])('that %s is told to the model', async (_, error, state, said) => {
    const kit = make({ script: [calls('files__read'), says('')], policy: allowAll, run: () => Promise.reject(error) })
    const id = await kit.turn('Go')
    expect(kit.states(id)).toEqual([state])
    expect(results(kit)).toEqual([{ text: expect.stringContaining(said), isError: true }])
    expect(kit.rows().at(-1)).toMatchObject({ kind: 'result', decision: state })
  })

  test('that fails by its own word is done, with an error for the model', async () => {
    const run = (): Promise<JsonObject> => Promise.resolve({ content: [{ type: 'text', text: 'no such file' }], isError: true })
    const kit = make({ script: [calls('files__read'), says('')], policy: allowAll, run })
    const id = await kit.turn('Go')
    expect([kit.states(id), results(kit)]).toEqual([['done'], [{ text: 'no such file', isError: true }]])
  })

  test('can be cancelled alone while the turn goes on', async () => {
    const kit = make({ script: [calls('files__read'), says('Well')], policy: allowAll, run: never })
    const { conversationId: id } = kit.chat.send({ text: 'Go' })
    await until(() => kit.states(id)[0] === 'running')
    kit.chat.cancelCall(id, kit.toolCalls(id)[0]?.id ?? '')
    await kit.chat.idle(id)
    expect([kit.states(id), kit.answers(id).length]).toEqual([['cancelled'], 2])
  })

  test('that gives no word waits for the person, while nobody keeps them from anything else', async () => {
    const waited: string[] = []
    const answered = Promise.withResolvers<JsonObject>()
    const kit = make({
      script: [calls('files__read'), says('Well')],
      policy: allowAll,
      run(_, { onOverdue }) {
        onOverdue?.({ since: 1, endsAt: 2, wait: () => waited.push('waited') })
        return answered.promise
      },
    })
    const { conversationId: id } = kit.chat.send({ text: 'Go' })
    const overdue = { since: 1, endsAt: 2 }
    await until(() => kit.events('toolCall.changed').some(({ state }) => state.kind === 'running' && state.overdue !== undefined))
    kit.chat.flush(id)
    const [call] = kit.toolCalls(id)
    expect(call?.state).toMatchObject({ kind: 'running', overdue })
    const entry = { conversationId: id, callId: call?.id, server: 'files', tool: 'read', ...overdue }
    expect([kit.chat.overdue(), kit.events('overdueCalls.changed')]).toEqual([[entry], [{ overdueCalls: [entry] }]])
    kit.chat.waitForCall('another', call?.id ?? '')
    kit.chat.waitForCall(id, 'another')
    kit.chat.waitForCall(id, call?.id ?? '')
    expect(waited).toEqual(['waited'])
    answered.resolve({ content: [{ type: 'text', text: 'at last' }] })
    await kit.chat.idle(id)
    expect([kit.states(id), results(kit)]).toEqual([['done'], [{ text: 'at last', isError: false }]])
    expect([kit.chat.overdue(), kit.events('overdueCalls.changed').at(-1)]).toEqual([[], { overdueCalls: [] }])
  })

  test('is not waited for where nobody is there to say so', async () => {
    let asks: boolean | undefined
    const kit = make({
      script: [calls('files__read'), says('Well')],
      policy: allowAll,
      attended: false,
      run(_, { onOverdue }) {
        asks = onOverdue !== undefined
        return Promise.resolve({ content: [] })
      },
    })
    await kit.turn('Go')
    expect(asks).toBe(false)
  })

  test('that timed out keeps the result that came late, and the model reads of it in the next turn alone', async () => {
    const late: ((word: string) => void)[] = []
    const kit = make({
      script: [calls('files__read'), says('It took too long'), says('Ah')],
      policy: allowAll,
      run(_, { onLate }) {
        late.push((word) => onLate?.({ result: { content: [{ type: 'text', text: word }] }, bytes: 40 }))
        return Promise.reject(new HostError('tool.timeout', 'Too slow.'))
      },
    })
    const id = await kit.turn('Go')
    kit.clock.advance(1000)
    for (const word of ['at "last"', 'and again']) late[0]?.(word)
    kit.clock.advance(1000)
    expect(kit.toolCalls(id)[0]?.state).toMatchObject({
      kind: 'failed',
      error: { code: 'tool.timeout' },
      late: { result: { content: [{ text: 'at "last"' }] } },
    })
    expect(kit.events('toolCall.changed').at(-1)?.state).toEqual(kit.toolCalls(id)[0]?.state)
    await kit.turn('And now?', id)
    const [, , third] = kit.requests
    // What it had read stays as it was, to the byte.
    expect(third?.messages.slice(0, 3)).toEqual(kit.requests[1]?.messages)
    expect(third?.messages.at(-1)?.content).toEqual([
      { type: 'text', text: expect.stringContaining(JSON.stringify('at "last"')), byHost: true },
      { type: 'text', text: 'And now?' },
    ])
    expect(kit.sent).toHaveLength(1)
  })

  test('of a conversation that is gone has no late result', async () => {
    let late: (() => void) | undefined
    const kit = make({
      script: [calls('files__read'), says('It took too long')],
      policy: allowAll,
      run(_, { onLate }) {
        late = () => onLate?.({ result: { content: [] }, bytes: 4 })
        return Promise.reject(new HostError('tool.timeout', 'Too slow.'))
      },
    })
    const id = await kit.turn('Go')
    kit.store.history.set([id], { deletedAt: 1 })
    late?.()
    expect([kit.toolCalls(id)[0]?.state, kit.events('toolCall.changed').at(-1)?.state]).not.toContainEqual(
      expect.objectContaining({ late: expect.anything() }),
    )
  })

  test('shows its progress, but not every bit of it', async () => {
    const kit = make({
      script: [calls('files__read'), says('')],
      policy: allowAll,
      run(_, { onProgress }) {
        for (let step = 1; step <= 50; step += 1) onProgress?.({ progress: step, total: 50 })
        return Promise.resolve({ content: [] })
      },
    })
    await kit.turn('Go')
    const states = kit.events('toolCall.changed').map(({ state }) => state)
    expect(states.filter((state) => state.kind === 'running' && state.progress)).toHaveLength(1)
  })
})

describe('stopping', () => {
  test('in mid-answer keeps what came, at once, even from a model that does not listen', async () => {
    const kit = make({ script: [[text('Half'), never()]] })
    const { conversationId: id } = kit.chat.send({ text: 'Go' })
    await until(() => kit.answers(id)[0]?.parts.length === 1)
    kit.chat.stop(id)
    expect(kit.conversation(id).activity).toEqual({ kind: 'idle' })
    await kit.chat.idle(id)
    expect(kit.answers(id)).toMatchObject([{ state: 'stopped', parts: [{ text: 'Half' }] }])
  })

  test('withdraws the questions and cancels what runs', async () => {
    const policy: TestChatOptions['policy'] = (request) => (request.kind === 'tool-call' && request.tool === 'read' ? ALLOW : undefined)
    const signals: AbortSignal[] = []
    const run: TestChatOptions['run'] = (_, { signal }) => {
      signals.push(signal)
      return never()
    }
    const kit = make({ script: [calls('files__read', 'files__write')], policy, run })
    const { conversationId: id } = kit.chat.send({ text: 'Go' })
    await kit.asked()
    await until(() => kit.states(id)[0] === 'running')
    kit.chat.stop(id)
    // In the same moment, not a while after.
    expect([signals.map(({ aborted }) => aborted), kit.conversation(id).activity]).toEqual([[true], { kind: 'idle' }])
    await kit.chat.idle(id)
    expect(kit.requests).toHaveLength(1)
    expect([kit.states(id), kit.broker.open(), kit.conversation(id).activity]).toEqual([['cancelled', 'cancelled'], [], { kind: 'idle' }])
  })

  test('leaves a history that the next message can go on from', async () => {
    const kit = make({ script: [calls('files__write'), says('Fine')] })
    const { conversationId: id } = kit.chat.send({ text: 'Go' })
    await kit.asked()
    kit.chat.stop(id)
    await kit.chat.idle(id)
    await kit.turn('Never mind', id)
    expect(kit.requests[1]?.messages.map(({ role, content }) => [role, content.map(({ type }) => type)])).toEqual([
      ['user', ['text']],
      ['assistant', ['tool-call']],
      ['user', ['tool-result', 'text']],
    ])
  })
})

test('a page that asks in mid-stream finds in the store what it has been told', async () => {
  const gate = Promise.withResolvers<void>()
  const kit = make({ script: [[text('One '), text('two '), gate.promise, done()]] })
  const { conversationId: id } = kit.chat.send({ text: 'Go' })
  await until(() => kit.events('message.changed').length === 3)
  await until(() => kit.events('message.delta').length === 1)
  kit.chat.flush(id)
  expect(kit.answers(id)).toMatchObject([{ state: 'streaming', parts: [{ text: 'One two ' }] }])
  gate.resolve()
  await kit.chat.idle(id)
})
