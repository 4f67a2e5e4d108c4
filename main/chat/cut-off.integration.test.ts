// Turns that do not get to their end: failures, limits, crashes, a full disk. Over a real store and a real broker.

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { HostError } from '#app/errors.ts'
import { ALLOW, calls, done, makeChat, results, says, type TestChat, type TestChatOptions, text, until } from './chat.testing.ts'

let open: TestChat[] = []
beforeEach(() => {
  open = []
})
afterEach(async () => {
  await Promise.all(open.map((kit) => kit.dispose()))
})
function make(options: TestChatOptions): TestChat {
  const kit = makeChat(options)
  open.push(kit)
  return kit
}
const allowAll = (): typeof ALLOW => ALLOW
const never = (): Promise<never> => new Promise(() => {})

describe('a turn that did not get to its end', () => {
  test('pauses at the step limit and goes on when it is resumed', async () => {
    const kit = make({ script: [calls('files__read'), calls('files__read'), says('There')], policy: allowAll })
    kit.settings = { ...kit.settings, stepLimit: 2 }
    const id = await kit.turn('Go')
    expect(kit.conversation(id).activity).toMatchObject({ kind: 'paused', reason: 'step-limit' })
    kit.chat.resume(id)
    await kit.chat.idle(id)
    expect([kit.conversation(id).activity, kit.sent.length, new Set(kit.answers(id).map(({ turnId }) => turnId)).size]).toEqual([
      { kind: 'idle' },
      2,
      1,
    ])
  })

  test('that failed before a word came is replaced by its retry', async () => {
    const kit = make({ script: [new HostError('model.overloaded', 'Busy.'), says('Now')] })
    const id = await kit.turn('Go')
    expect(kit.conversation(id).activity).toMatchObject({ kind: 'failed', error: { code: 'model.overloaded' } })
    expect(kit.answers(id)).toMatchObject([{ state: 'failed', error: { code: 'model.overloaded' } }])
    kit.chat.resume(id)
    await kit.chat.idle(id)
    expect(kit.answers(id)).toMatchObject([{ state: 'done', parts: [{ text: 'Now' }] }])
    expect(kit.answers(id)[0]).not.toHaveProperty('error')
  })

  test('that broke off after some words goes on from them', async () => {
    const kit = make({ script: [[text('Once upon')], says('a time')] })
    const id = await kit.turn('Go')
    expect(kit.conversation(id).activity).toMatchObject({ kind: 'failed', error: { code: 'model.bad-answer' } })
    kit.chat.resume(id)
    await kit.chat.idle(id)
    expect(kit.requests[1]?.messages.slice(1)).toMatchObject([
      { role: 'assistant', content: [{ text: 'Once upon' }] },
      { role: 'user', content: [{ byHost: true }] },
    ])
  })

  test('that the model refused says so', async () => {
    const kit = make({ script: [[text('I'), { type: 'done', reason: 'refusal', detail: 'cyber: why' }]] })
    const id = await kit.turn('Go')
    expect(kit.answers(id)).toMatchObject([{ state: 'failed', error: { code: 'model.refused', data: { detail: 'cyber: why' } } }])
  })

  test('shows when the model will be tried again', async () => {
    const gate = Promise.withResolvers<void>()
    const kit = make({ script: [[{ type: 'retrying', afterMs: 2000, reason: 'model.overloaded' }, gate.promise, text('a'), done()]] })
    const { conversationId: id } = kit.chat.send({ text: 'Go' })
    await until(() => JSON.stringify(kit.conversation(id).activity).includes('retry'))
    expect(kit.conversation(id).activity).toMatchObject({
      kind: 'working',
      retry: { at: kit.clock.now() + 2000, reason: 'model.overloaded' },
    })
    gate.resolve()
    await kit.chat.idle(id)
  })

  test('cannot be resumed when there is nothing to go on with', async () => {
    const kit = make({ script: [says('a')] })
    const id = await kit.turn('Go')
    expect(() => kit.chat.resume(id)).toThrow(expect.objectContaining({ code: 'chat.nothing-to-resume' }))
  })
})

describe('on a full disk', () => {
  test('a message that cannot be kept is refused, and nothing begins', () => {
    const kit = make({ script: [] })
    const undo = kit.fillDisk()
    expect(() => kit.chat.send({ text: 'Go' })).toThrow(expect.objectContaining({ code: 'disk.full' }))
    undo()
    expect([kit.requests, kit.store.conversations.list()]).toEqual([[], []])
  })

  test('a streamed answer ends as failed on every page, and can be gone on with once there is room', async () => {
    const gate = Promise.withResolvers<void>()
    const kit = make({ script: [[text('One '), gate.promise, text('two'), done()], says('three')] })
    const { conversationId: id } = kit.chat.send({ text: 'Go' })
    await until(() => kit.answers(id)[0]?.parts.length === 1)
    const undo = kit.fillDisk()
    gate.resolve()
    await kit.chat.idle(id)
    expect(kit.events('conversation.changed').at(-1)?.conversation.activity).toMatchObject({ kind: 'failed', error: { code: 'disk.full' } })
    undo()
    kit.restart().recover()
    expect(kit.answers(id)).toMatchObject([{ state: 'interrupted', parts: [{ text: 'One ' }] }])
    kit.chat.resume(id)
    await kit.chat.idle(id)
    expect(kit.conversation(id).activity).toEqual({ kind: 'idle' })
  })

  test('an allowed call that cannot be put on record is not sent', async () => {
    const kit = make({ script: [calls('files__write')] })
    const { conversationId: id } = kit.chat.send({ text: 'Go' })
    await kit.asked()
    const undo = kit.fillDisk()
    await kit.answer(ALLOW)
    await kit.chat.idle(id)
    undo()
    expect(kit.sent).toEqual([])
  })
})

describe('after a crash', () => {
  test('what was cut off is marked, nothing is run again, and the turn can be resumed', async () => {
    const policy: TestChatOptions['policy'] = (request) => (request.kind === 'tool-call' && request.tool === 'read' ? ALLOW : undefined)
    const kit = make({ script: [calls('files__read', 'files__write'), says('I see')], policy, run: never })
    const { conversationId: id } = kit.chat.send({ text: 'Go' })
    await kit.asked()
    await until(() => kit.states(id)[0] === 'running')
    const next = kit.restart()
    next.recover()
    expect(kit.states(id)).toEqual(['unknown', 'cancelled'])
    expect(kit.conversation(id).activity).toMatchObject({ kind: 'interrupted' })
    expect(kit.sent).toHaveLength(1)
    next.resume(id)
    await next.idle(id)
    expect([kit.sent.length, kit.conversation(id).activity, results(kit).map(({ isError }) => isError)]).toEqual([
      1,
      { kind: 'idle' },
      [true, true],
    ])
  })

  test('an answer that was being written is kept as far as it had come', async () => {
    const kit = make({ script: [[text('Half'), never()]] })
    const { conversationId: id } = kit.chat.send({ text: 'Go' })
    await until(() => kit.answers(id)[0]?.parts.length === 1)
    kit.restart().recover()
    expect(kit.answers(id)).toMatchObject([{ state: 'interrupted', parts: [{ text: 'Half' }] }])
  })

  test('a quit leaves the same as a crash', async () => {
    const kit = make({ script: [calls('files__read')], policy: allowAll, run: never })
    const { conversationId: id } = kit.chat.send({ text: 'Go' })
    await until(() => kit.states(id)[0] === 'running')
    await kit.chat.dispose()
    expect([kit.states(id), kit.conversation(id).activity.kind]).toEqual([['unknown'], 'interrupted'])
  })
})
