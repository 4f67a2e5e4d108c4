// What the person adds while a turn is at work: when the model reads it, and that it is never lost. Over a real store.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { HostError } from '#app/errors.ts'
import type { JsonObject } from '#app/json.ts'
import { ALLOW, calls, done, makeChat, says, type TestChat, type TestChatOptions, text, until } from './chat.testing.ts'

let open: TestChat[] = []
beforeEach(() => {
  open = []
})
afterEach(async () => {
  await Promise.all(open.map((kit) => kit.dispose()))
})
function make(options: TestChatOptions): TestChat {
  const kit = makeChat({ policy: () => ALLOW, ...options })
  open.push(kit)
  return kit
}
/** A tool that runs until it is let go. */
function held() {
  const gate = Promise.withResolvers<JsonObject>()
  return { run: () => gate.promise, release: () => gate.resolve({ content: [{ type: 'text', text: 'ok' }] }) }
}
const never = (): Promise<never> => new Promise(() => {})
const steer = (kit: TestChat, conversationId: string, words: string): string => {
  kit.chat.send({ text: words, conversationId })
  return kit.messages(conversationId).at(-1)?.id ?? ''
}
const turnIds = (kit: TestChat, id: string): number => new Set(kit.messages(id).map(({ turnId }) => turnId)).size
const marks = (kit: TestChat, id: string): unknown[] =>
  kit.messages(id).flatMap((message) => (message.role === 'user' ? [message.steered] : []))

describe('a message sent while a turn is at work', () => {
  test('is in the transcript at once and read after the results of the step, in the same turn', async () => {
    const tool = held()
    const kit = make({ script: [calls('files__read'), says('Both done')], run: tool.run })
    const { conversationId: id } = kit.chat.send({ text: 'Read it' })
    await until(() => kit.states(id)[0] === 'running')
    steer(kit, id, 'And be brief')
    expect([kit.events('message.changed').at(-1)?.message, marks(kit, id)]).toMatchObject([
      { role: 'user', text: 'And be brief', steered: 'waiting' },
      [undefined, 'waiting'],
    ])
    tool.release()
    await kit.chat.idle(id)
    expect(kit.requests[1]?.messages.at(-1)).toMatchObject({
      role: 'user',
      content: [{ type: 'tool-result' }, { type: 'text', text: 'And be brief' }],
    })
    expect([marks(kit, id), turnIds(kit, id), kit.sent.length, kit.conversation(id).activity]).toEqual([
      [undefined, 'given'],
      1,
      1,
      { kind: 'idle' },
    ])
  })

  test('leaves what was sent before as it was, to the byte', async () => {
    const tool = held()
    const kit = make({ script: [calls('files__read'), calls('files__read'), says('')], run: tool.run })
    const { conversationId: id } = kit.chat.send({ text: 'Read it' })
    await until(() => kit.states(id)[0] === 'running')
    steer(kit, id, 'And be brief')
    tool.release()
    await kit.chat.idle(id)
    const [first = '', second = '', third = ''] = kit.requests.map(({ messages }) => JSON.stringify(messages).slice(0, -1))
    expect([second.startsWith(first), third.startsWith(second)]).toEqual([true, true])
  })

  test('begins the next turn by itself when there is no further step', async () => {
    const gate = Promise.withResolvers<void>()
    const kit = make({ script: [[text('One'), gate.promise, done()], says('Two')] })
    const { conversationId: id } = kit.chat.send({ text: 'First' })
    await until(() => kit.answers(id)[0]?.parts.length === 1)
    steer(kit, id, 'Second')
    gate.resolve()
    await until(() => kit.answers(id).length === 2)
    await kit.chat.idle(id)
    expect([marks(kit, id), turnIds(kit, id), kit.conversation(id).activity.kind]).toEqual([[undefined, undefined], 2, 'idle'])
    expect(kit.requests[1]?.messages.map(({ content }) => content)).toMatchObject([
      [{ text: 'First' }],
      [{ text: 'One' }],
      [{ text: 'Second' }],
    ])
    const told = kit.events('conversation.changed').map(({ conversation }) => conversation.activity.kind)
    expect(told.lastIndexOf('idle')).toBe(told.length - 1)
    expect(told.slice(1).indexOf('idle')).toBe(told.length - 2) // Between the two turns it never came to rest.
  })

  test('begins the next turn when the steps are used up', async () => {
    const tool = held()
    const kit = make({ script: [calls('files__read'), says('Two')], run: tool.run })
    kit.settings = { ...kit.settings, stepLimit: 1 }
    const { conversationId: id } = kit.chat.send({ text: 'Go' })
    await until(() => kit.states(id)[0] === 'running')
    steer(kit, id, 'Go on')
    tool.release()
    await until(() => kit.answers(id).length === 2)
    await kit.chat.idle(id)
    expect([turnIds(kit, id), kit.conversation(id).activity]).toEqual([2, { kind: 'idle' }])
  })

  test('can be taken back until the model has read it', async () => {
    const tool = held()
    const kit = make({ script: [calls('files__read'), says('')], run: tool.run })
    const { conversationId: id } = kit.chat.send({ text: 'Go' })
    await until(() => kit.states(id)[0] === 'running')
    const one = steer(kit, id, 'Not this')
    const two = steer(kit, id, 'But this')
    expect([kit.chat.withdraw(id, one), kit.chat.withdraw(id, one)]).toEqual(['Not this', undefined])
    expect(kit.events('conversation.pathChanged')).toEqual([{ conversationId: id }])
    tool.release()
    await kit.chat.idle(id)
    expect(kit.chat.withdraw(id, two)).toBeUndefined()
    expect(JSON.stringify(kit.requests[1])).toContain('But this')
    expect(JSON.stringify(kit.requests[1])).not.toContain('Not this')
  })

  test('is not lost when the turn is stopped: it waits to be gone on with, or is taken back', async () => {
    const kit = make({ script: [calls('files__read'), says('Read')], run: never })
    const { conversationId: id } = kit.chat.send({ text: 'Go' })
    await until(() => kit.states(id)[0] === 'running')
    const added = steer(kit, id, 'Wait')
    kit.chat.stop(id)
    expect(kit.conversation(id).activity).toMatchObject({ kind: 'paused', reason: 'unread' })
    await kit.chat.idle(id)
    expect([kit.conversation(id).activity.kind, kit.requests.length, marks(kit, id)]).toEqual(['paused', 1, [undefined, 'waiting']])
    kit.chat.resume(id)
    await kit.chat.idle(id)
    expect([marks(kit, id), kit.sent.length, kit.conversation(id).activity]).toEqual([[undefined, 'given'], 1, { kind: 'idle' }])
    expect(kit.chat.withdraw(id, added)).toBeUndefined()
  })

  test('leaves nothing to go on with once it is taken back from a turn that was stopped', async () => {
    const kit = make({ script: [calls('files__read')], run: never })
    const { conversationId: id } = kit.chat.send({ text: 'Go' })
    await until(() => kit.states(id)[0] === 'running')
    const added = steer(kit, id, 'Wait')
    kit.chat.stop(id)
    await kit.chat.idle(id)
    kit.chat.withdraw(id, added)
    expect(kit.conversation(id).activity).toEqual({ kind: 'idle' })
  })

  test('right after a stop begins a turn of its own', async () => {
    const kit = make({ script: [calls('files__read'), says('Here')], run: never })
    const { conversationId: id } = kit.chat.send({ text: 'Go' })
    await until(() => kit.states(id)[0] === 'running')
    kit.chat.stop(id)
    steer(kit, id, 'Something else')
    await until(() => kit.answers(id).length === 2)
    await kit.chat.idle(id)
    expect([turnIds(kit, id), kit.conversation(id).activity, kit.states(id)]).toEqual([2, { kind: 'idle' }, ['cancelled']])
  })

  test('survives a crash, and is given when the turn is resumed; no call runs again', async () => {
    const kit = make({ script: [calls('files__read'), says('Read')], run: never })
    const { conversationId: id } = kit.chat.send({ text: 'Go' })
    await until(() => kit.states(id)[0] === 'running')
    steer(kit, id, 'And this')
    const next = kit.restart()
    next.recover()
    expect([kit.conversation(id).activity.kind, marks(kit, id), kit.requests.length]).toEqual(['interrupted', [undefined, 'waiting'], 1])
    next.resume(id)
    await next.idle(id)
    expect([marks(kit, id), kit.sent.length, kit.states(id)]).toEqual([[undefined, 'given'], 1, ['unknown']])
    expect(kit.requests[1]?.messages.at(-1)).toMatchObject({ content: [{ type: 'tool-result', isError: true }, { text: 'And this' }] })
  })

  test('is not given to a model that has just failed: the person looks first', async () => {
    const gate = Promise.withResolvers<void>()
    const kit = make({ script: [[text('One'), gate.promise], says('Two')] })
    const { conversationId: id } = kit.chat.send({ text: 'Go' })
    await until(() => kit.answers(id)[0]?.parts.length === 1)
    steer(kit, id, 'More')
    gate.resolve()
    await kit.chat.idle(id)
    expect([kit.conversation(id).activity.kind, kit.requests.length, marks(kit, id)]).toEqual(['failed', 1, [undefined, 'waiting']])
    kit.chat.resume(id)
    await kit.chat.idle(id)
    expect([marks(kit, id), kit.conversation(id).activity]).toEqual([[undefined, 'given'], { kind: 'idle' }])
  })

  test('is refused on a full disk, and the turn goes on', async () => {
    const tool = held()
    const kit = make({ script: [calls('files__read'), says('Read')], run: tool.run })
    const { conversationId: id } = kit.chat.send({ text: 'Go' })
    await until(() => kit.states(id)[0] === 'running')
    const undo = kit.fillDisk()
    expect(() => kit.chat.send({ text: 'More', conversationId: id })).toThrow(HostError)
    undo()
    tool.release()
    await kit.chat.idle(id)
    expect([kit.messages(id).length, kit.conversation(id).activity]).toEqual([3, { kind: 'idle' }])
  })
})

describe('the tokens of a turn', () => {
  const costly = (words: readonly string[]): TestChatOptions['script'][number] => [
    { type: 'usage', usage: { inputTokens: 400, outputTokens: 100, cacheReadTokens: 9000, cacheWriteTokens: 100 } },
    ...(calls(...words) as Exclude<ReturnType<typeof calls>, Error>),
  ]

  test('are counted without what came from the cache; at the limit it pauses, and goes on with as many again', async () => {
    const kit = make({ script: [costly(['files__read']), costly(['files__read']), says('There')] })
    kit.settings = { ...kit.settings, tokenLimit: 1200 }
    const id = await kit.turn('Go')
    expect([kit.conversation(id).activity, kit.states(id)]).toMatchObject([{ kind: 'paused', reason: 'token-limit' }, ['done', 'done']])
    kit.chat.resume(id)
    await kit.chat.idle(id)
    expect([kit.conversation(id).activity, kit.sent.length]).toEqual([{ kind: 'idle' }, 2])
  })

  test('have a limit in dollars too, where what they cost is known', async () => {
    const dear: TestChatOptions['script'][number] = [
      { type: 'usage', usage: { inputTokens: 1, outputTokens: 1, cost: 3 } },
      ...(calls('files__read') as Exclude<ReturnType<typeof calls>, Error>),
    ]
    const kit = make({ script: [dear, says('There')] })
    kit.settings = { ...kit.settings, costLimit: 2 }
    const id = await kit.turn('Go')
    expect(kit.conversation(id).activity).toMatchObject({ kind: 'paused', reason: 'cost-limit' })
  })

  test('are not limited by nought', async () => {
    const kit = make({ script: [costly(['files__read']), says('There')] })
    kit.settings = { ...kit.settings, tokenLimit: 0 }
    const id = await kit.turn('Go')
    expect(kit.conversation(id).activity).toEqual({ kind: 'idle' })
  })
})
