// Two answers to one question beside each other, over a real store and a real broker, with a scripted model.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Message } from '#app/chat/message.ts'
import { branchesOnPath } from '#app/chat/message-tree.ts'
import { createTaintSources } from '#main/consent/taint-sources.ts'
import { ALLOW, calls, done, makeChat, says, type TestChat, type TestChatOptions, text, until } from './chat.testing.ts'

let open: TestChat[] = []
beforeEach(() => {
  open = []
})
afterEach(async () => {
  await Promise.all(open.map((kit) => kit.dispose()))
})

const other = { id: 'lab/other', provider: 'lab', name: 'Other', ai: true }
function make(options: TestChatOptions): TestChat {
  const kit = makeChat({ models: [other], ...options })
  open.push(kit)
  return kit
}
const words = (message: Message): string =>
  message.role === 'user'
    ? message.text
    : message.role === 'summary'
      ? ''
      : message.parts.map((part) => (part.kind === 'text' ? part.text : `(${part.kind})`)).join('')
const shown = (kit: TestChat, id: string): string[] => kit.messages(id).map(words)
const besides = (kit: TestChat, id: string): Message[] => kit.store.conversations.besideMessages(kit.conversation(id))
const beside = (kit: TestChat, id: string): string[] => besides(kit, id).map(words)
const last = (kit: TestChat, id: string): string => kit.messages(id).at(-1)?.id ?? ''
const never = (): Promise<never> => new Promise(() => undefined)
const codeOf = (code: string) => expect.objectContaining({ code })
const askBoth = (kit: TestChat, text: string) => kit.chat.send({ text, second: other.id }).conversationId

describe('a second answer', () => {
  test('reads the question alone, stands beside the first, and takes its place when it is kept, with its model', async () => {
    const kit = make({ script: [says('One'), says('Uno'), says('Due')] })
    const id = await kit.turn('a')
    kit.chat.branches.compare({ conversationId: id, messageId: last(kit, id), model: other.id })
    await kit.chat.idle(id)
    expect([shown(kit, id), beside(kit, id), kit.requests[1]?.messages.length]).toEqual([['a', 'One'], ['Uno'], 1])
    expect(kit.conversation(id)).toMatchObject({
      model: 'anthropic/scripted',
      activity: { kind: 'idle' },
      beside: { model: other.id, activity: { kind: 'idle' } },
    })
    const told = kit.events('message.changed').filter((event) => event.beside)
    expect([told.length > 0, new Set(told.map(({ message }) => message.id))]).toEqual([
      true,
      new Set(besides(kit, id).map((message) => message.id)),
    ])

    kit.chat.branches.show({ conversationId: id, messageId: besides(kit, id)[0]?.id ?? '' })
    const tree = kit.store.conversations.tree(id)
    expect([shown(kit, id), kit.conversation(id).model, kit.conversation(id).beside]).toEqual([['a', 'Uno'], other.id, undefined])
    expect(Object.values(branchesOnPath(tree)).map((versions) => versions.length)).toEqual([2])
    await kit.turn('b', id)
    expect(shown(kit, id)).toEqual(['a', 'Uno', 'b', 'Due'])
  })

  test('is written at the same time as the first, and each can be stopped alone', async () => {
    const gate = Promise.withResolvers<void>()
    const kit = make({
      script: [
        [text('One '), gate.promise, text('more'), done()],
        [text('Uno '), never()],
      ],
    })
    const id = askBoth(kit, 'a')
    await until(() => shown(kit, id)[1] === 'One ' && beside(kit, id)[0] === 'Uno ')
    expect(() => kit.chat.branches.show({ conversationId: id, messageId: besides(kit, id)[0]?.id ?? '' })).toThrow(codeOf('chat.busy'))
    expect(() => kit.chat.branches.compare({ conversationId: id, messageId: last(kit, id), model: other.id })).toThrow(codeOf('chat.busy'))
    kit.chat.stop(id, 'beside')
    expect(kit.conversation(id)).toMatchObject({ activity: { kind: 'working' }, beside: { activity: { kind: 'idle' } } })
    gate.resolve()
    await kit.chat.idle(id)
    expect([kit.messages(id)[1], besides(kit, id)[0]]).toMatchObject([{ state: 'done' }, { state: 'stopped' }])
    expect([shown(kit, id), beside(kit, id)]).toEqual([['a', 'One more'], ['Uno ']])
  })

  test('is stopped with the first by one stop', async () => {
    const kit = make({
      script: [
        [text('One'), never()],
        [text('Uno'), never()],
      ],
    })
    const id = askBoth(kit, 'a')
    await until(() => beside(kit, id)[0] === 'Uno')
    kit.chat.stop(id)
    await kit.chat.idle(id)
    expect([kit.messages(id)[1], besides(kit, id)[0]]).toMatchObject([{ state: 'stopped' }, { state: 'stopped' }])
  })

  test('asks for each of its calls, and goes on with its own results', async () => {
    const kit = make({ script: [calls('files__read'), calls('files__write'), says('One'), says('Uno')] })
    const id = askBoth(kit, 'a')
    const asked = await kit.asked(2)
    expect(asked.map((request) => request.kind === 'tool-call' && [request.conversationId, request.tool])).toEqual([
      [id, 'read'],
      [id, 'write'],
    ])
    kit.broker.answer(asked[1]?.id ?? '', { kind: 'deny' })
    await until(() => beside(kit, id).length === 2)
    expect(kit.conversation(id)).toMatchObject({ activity: { kind: 'waiting' } })
    await kit.answer(ALLOW)
    await kit.chat.idle(id)
    expect([shown(kit, id).length, beside(kit, id).length, kit.sent.map(({ tool }) => tool)]).toEqual([3, 2, ['read']])
  })

  test('shares with the first what either has read, before anything may be sent', async () => {
    const kit = make({
      script: [says('One'), calls('files__read'), says('Uno')],
      policy: () => ALLOW,
      run: async () => ({ content: [{ type: 'text', text: 'secret words of the file' }] }),
    })
    const id = askBoth(kit, 'a')
    await kit.chat.idle(id)
    const { sources } = createTaintSources(kit.store)(id)
    expect(sources.map(({ origin }) => origin)).toMatchObject([{ server: 'files', tool: 'read' }])
  })

  test('is asked with each further question, and ends by it: the first is kept, the other stays a version', async () => {
    const kit = make({ script: [says('One'), says('Uno'), says('Two'), says('Due')] })
    const id = askBoth(kit, 'a')
    await kit.chat.idle(id)
    const [first] = besides(kit, id)
    kit.chat.send({ text: 'b', conversationId: id })
    await kit.chat.idle(id)
    expect([shown(kit, id), beside(kit, id), kit.conversation(id).model]).toEqual([['a', 'One', 'b', 'Two'], ['Due'], 'anthropic/scripted'])
    kit.chat.branches.show({ conversationId: id, messageId: first?.id ?? '' })
    expect([shown(kit, id), beside(kit, id)]).toEqual([['a', 'Uno'], []])
  })

  test('is of the latest question alone', async () => {
    const kit = make({ script: [says('One'), says('Two')] })
    const id = await kit.turn('a')
    const early = last(kit, id)
    await kit.turn('b', id)
    expect(() => kit.chat.branches.compare({ conversationId: id, messageId: early, model: other.id })).toThrow(
      codeOf('chat.unknown-message'),
    )
  })

  test('is not asked for by a command', async () => {
    const kit = make({ script: [says('One')] })
    const { conversationId: id } = kit.chat.send({ text: 'a', second: other.id }, { alone: true })
    await kit.chat.idle(id)
    expect([shown(kit, id), kit.conversation(id).beside]).toEqual([['a', 'One'], undefined])
  })
})

describe('after a crash', () => {
  test('both answers are there as far as they had come, and each goes on where the person says so', async () => {
    const kit = make({ script: [[text('One '), never()], [text('Uno '), never()], says('and due'), says('and two')] })
    const id = askBoth(kit, 'a')
    await until(() => shown(kit, id)[1] === 'One ' && beside(kit, id)[0] === 'Uno ')
    const next = kit.restart()
    next.recover()
    const cut = { kind: 'interrupted' }
    expect(kit.conversation(id)).toMatchObject({ activity: cut, beside: { activity: cut } })
    expect([kit.messages(id)[1], besides(kit, id)[0]]).toMatchObject([{ state: 'interrupted' }, { state: 'interrupted' }])
    next.resume(id, true)
    await next.idle(id)
    next.resume(id)
    await next.idle(id)
    expect([shown(kit, id), beside(kit, id)]).toEqual([
      ['a', 'One ', 'and two'],
      ['Uno ', 'and due'],
    ])
    expect(kit.conversation(id)).toMatchObject({ activity: { kind: 'idle' }, beside: { activity: { kind: 'idle' } } })
  })

  test('a second answer is settled too where the first was done', async () => {
    const kit = make({ script: [says('One'), [text('Uno'), never()]] })
    const id = askBoth(kit, 'a')
    await until(() => kit.conversation(id).activity.kind === 'idle' && beside(kit, id)[0] === 'Uno')
    kit.restart().recover()
    expect(kit.conversation(id)).toMatchObject({ activity: { kind: 'idle' }, beside: { activity: { kind: 'interrupted' } } })
  })
})
