// What the person does to messages that are there, over a real store and a real broker, with a scripted model.
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Message } from '#app/chat/message.ts'
import { newId } from '#main/base/ids.ts'
import { keepAttachment } from './attachments/store-attachment.ts'
import { ALLOW, calls, done, makeChat, says, type TestChat, type TestChatOptions, text } from './chat.testing.ts'

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

const words = (message: Message | undefined): string =>
  message?.role === 'user'
    ? message.text
    : message?.role === 'assistant'
      ? message.parts.map((part) => (part.kind === 'text' ? part.text : `(${part.kind})`)).join('')
      : ''
const shown = (kit: TestChat, id: string): string[] => kit.messages(id).map(words)
/** What the model read in its latest request. */
const read = (kit: TestChat): string[] =>
  (kit.requests.at(-1)?.messages ?? []).map(({ content }) =>
    content.map((block) => ('text' in block ? block.text : `(${block.type})`)).join('+'),
  )

function messageOf(kit: TestChat, id: string, said: string): string {
  const found = kit.messages(id).find((message) => words(message) === said)
  if (!found) throw new Error(`nobody said ${said}`)
  return found.id
}
const codeOf = (code: string) => expect.objectContaining({ code })

describe('a message in other words', () => {
  test('stands beside what it was, and the model reads the new one alone', async () => {
    const kit = make({ script: [says('One'), says('Two'), says('Three')] })
    const id = await kit.turn('a')
    await kit.turn('b', id)
    const old = messageOf(kit, id, 'b')
    kit.chat.branches.edit({ conversationId: id, messageId: old, text: 'B' })
    await kit.chat.idle(id)
    expect([shown(kit, id), read(kit)]).toEqual([
      ['a', 'One', 'B', 'Three'],
      ['a', 'One', 'B'],
    ])
    kit.chat.branches.show({ conversationId: id, messageId: old })
    expect([shown(kit, id), kit.events('conversation.pathChanged').length]).toEqual([['a', 'One', 'b', 'Two'], 2])
  })

  test('keeps what was attached and whose prompt it was; the model reads the person’s words in place of the server’s', async () => {
    const kit = make({ script: [says('One'), says('Two'), says('Three')] })
    const attachment = keepAttachment({ bytes: Buffer.from('Rent: 900'), name: 'lease.txt' }, kit.store.blobs)
    const messages = [
      { role: 'user', text: 'Chase it' },
      { role: 'assistant', text: 'In which tone?' },
    ] as const
    const prompt = { server: 'files', name: 'chase', arguments: { tone: 'kind' }, messages: [...messages] }
    const { conversationId: id } = kit.chat.send({ text: 'Kind', attachments: [attachment], prompt })
    await kit.chat.idle(id)
    const [asked] = kit.messages(id)
    const edit = async (text: string): Promise<Message | undefined> => {
      kit.chat.branches.edit({ conversationId: id, messageId: asked?.id ?? '', text })
      await kit.chat.idle(id)
      return kit.messages(id)[0]
    }
    const origin = { server: 'files', name: 'chase', arguments: { tone: 'kind' } }
    expect(await edit('Chase it, firmly')).toMatchObject({ attachments: [attachment], prompt: { ...origin, edited: true } })
    expect(['Rent: 900', 'Chase it, firmly', 'chase', 'In which tone?'].map((words) => read(kit).join().includes(words))).toEqual([
      true,
      true,
      true,
      false,
    ])
    kit.chat.branches.show({ conversationId: id, messageId: asked?.id ?? '' })
    expect(await edit(asked?.role === 'user' ? asked.text : '')).toMatchObject({
      prompt: asked?.role === 'user' ? asked.prompt : undefined,
    })
  })

  test('keeps whose words a message holds that the person took from a view', async () => {
    const kit = make({ script: [says('Fine'), says('Fine')] })
    const { conversationId: id } = kit.chat.send({ text: 'Count on from here', servers: ['views'] })
    await kit.chat.idle(id)
    const sources = [{ from: { kind: 'server', server: 'views' }, private: true, untrusted: true }]
    expect(kit.messages(id)[0]).toMatchObject({ sources })
    kit.chat.branches.edit({ conversationId: id, messageId: kit.messages(id)[0]?.id ?? '', text: 'Count on' })
    await kit.chat.idle(id)
    expect(kit.messages(id)[0]).toMatchObject({ text: 'Count on', sources })
  })

  test('may be the first one, and no turn of the old branch can be gone on with in the new one', async () => {
    const kit = make({ script: [new Error('broken'), says('Fine')] })
    const id = await kit.turn('a')
    expect(kit.conversation(id).activity.kind).toBe('failed')
    kit.chat.branches.edit({ conversationId: id, messageId: messageOf(kit, id, 'a'), text: 'A' })
    await kit.chat.idle(id)
    expect([shown(kit, id), kit.conversation(id).activity.kind]).toEqual([['A', 'Fine'], 'idle'])
    kit.chat.branches.show({ conversationId: id, messageId: kit.store.conversations.tree(id).nodes[0]?.id ?? '' })
    expect([shown(kit, id), kit.conversation(id).activity.kind]).toEqual([['a', ''], 'failed'])
    kit.chat.branches.show({ conversationId: id, messageId: kit.store.conversations.tree(id).nodes[2]?.id ?? '' })
    expect([shown(kit, id), kit.conversation(id).activity.kind]).toEqual([['A', 'Fine'], 'idle'])
  })

  test('has to be the person’s own, and on the path', async () => {
    const kit = make({ script: [says('One')] })
    const id = await kit.turn('a')
    for (const messageId of [messageOf(kit, id, 'One'), 'none'])
      expect(() => kit.chat.branches.edit({ conversationId: id, messageId, text: 'x' })).toThrow(codeOf('chat.unknown-message'))
    expect(shown(kit, id)).toEqual(['a', 'One'])
  })
})

describe('another answer', () => {
  test('asks the model and the person anew; the calls of the old one are not run again', async () => {
    const kit = make({ script: [calls('files__write'), says('Old'), calls('files__write'), says('New')] })
    const { conversationId: id } = kit.chat.send({ text: 'Write' })
    await kit.answer(ALLOW)
    await kit.chat.idle(id)
    kit.chat.branches.regenerate({ conversationId: id, messageId: messageOf(kit, id, 'Old') })
    const [question] = await kit.asked()
    expect([question?.kind, kit.sent.length, read(kit)]).toEqual(['tool-call', 1, ['Write']])
    await kit.answer({ kind: 'deny' })
    await kit.chat.idle(id)
    expect([kit.sent.length, shown(kit, id), kit.states(id)]).toEqual([1, ['Write', '(tool-call)', 'New'], ['denied']])
    kit.chat.branches.show({ conversationId: id, messageId: kit.store.conversations.tree(id).nodes[1]?.id ?? '' })
    expect([shown(kit, id), kit.states(id)]).toEqual([['Write', '(tool-call)', 'Old'], ['done']])
  })

  test('may be another model’s, also for a message in the middle; what followed stays in its branch', async () => {
    const other = { id: 'anthropic/other', provider: 'anthropic', name: 'Other', ai: true }
    const kit = make({ script: [says('One'), says('Two'), says('Uno')], models: [other] })
    const id = await kit.turn('a')
    await kit.turn('b', id)
    kit.chat.branches.regenerate({ conversationId: id, messageId: messageOf(kit, id, 'One'), model: other.id })
    await kit.chat.idle(id)
    expect([shown(kit, id), kit.answers(id)[0]?.model, kit.conversation(id).model]).toEqual([['a', 'Uno'], other.id, other.id])
  })

  test('answers a message that has none', async () => {
    const kit = make({ script: [says('One'), says('Uno')] })
    const id = await kit.turn('a')
    kit.chat.branches.delete({ conversationId: id, messageId: messageOf(kit, id, 'One') })
    kit.chat.branches.regenerate({ conversationId: id, messageId: messageOf(kit, id, 'a') })
    await kit.chat.idle(id)
    expect(shown(kit, id)).toEqual(['a', 'Uno'])
  })
})

test('while an answer is being written, all of it is refused and nothing changes', async () => {
  const gate = Promise.withResolvers<void>()
  const kit = make({ script: [says('One'), [text('T'), gate.promise, done()]] })
  const id = await kit.turn('a')
  const messageId = messageOf(kit, id, 'a')
  kit.chat.send({ text: 'b', conversationId: id })
  const { branches } = kit.chat
  const of = { conversationId: id, messageId }
  for (const act of [
    () => branches.edit({ ...of, text: 'x' }),
    () => branches.regenerate(of),
    () => branches.show(of),
    () => branches.delete(of),
    () => branches.restore({ conversationId: id, ids: [messageId] }),
  ])
    expect(act).toThrow(codeOf('chat.busy'))
  gate.resolve()
  await kit.chat.idle(id)
  expect(shown(kit, id)).toEqual(['a', 'One', 'b', 'T'])
})

describe('deleting', () => {
  test('takes a question with all of its answer, calls and results in one; the model reads neither, until they come back', async () => {
    const kit = make({ script: [says('One'), calls('files__read'), says('Two'), says('Three'), says('Four')], policy: () => ALLOW })
    const id = await kit.turn('a')
    await kit.turn('b', id)
    const all = shown(kit, id)
    const { ids } = kit.chat.branches.delete({ conversationId: id, messageId: messageOf(kit, id, 'b') })
    expect([ids.length, shown(kit, id), kit.store.conversations.lastDeleted(id)]).toEqual([3, ['a', 'One'], ids])
    await kit.turn('c', id)
    expect(read(kit)).toEqual(['a', 'One', 'c'])
    kit.chat.branches.restore({ conversationId: id, ids })
    expect(shown(kit, id)).toEqual([...all, 'c', 'Three'])
    await kit.turn('d', id)
    expect(read(kit)).toEqual(['a', 'One', 'b', '(tool-call)', '(tool-result)', 'Two', 'c', 'Three', 'd'])
  })

  test('takes an answer whole, from whichever of its messages; the one beside it is shown then', async () => {
    const kit = make({ script: [calls('files__read'), says('One'), says('Uno')], policy: () => ALLOW })
    const id = await kit.turn('a')
    kit.chat.branches.regenerate({ conversationId: id, messageId: messageOf(kit, id, 'One') })
    await kit.chat.idle(id)
    const uno = kit.chat.branches.delete({ conversationId: id, messageId: messageOf(kit, id, 'Uno') })
    expect(shown(kit, id)).toEqual(['a', '(tool-call)', 'One'])
    const one = kit.chat.branches.delete({ conversationId: id, messageId: kit.messages(id)[1]?.id ?? '' })
    expect([one.ids.length, shown(kit, id)]).toEqual([2, ['a']])
    kit.chat.branches.restore({ conversationId: id, ids: uno.ids })
    expect(shown(kit, id)).toEqual(['a', 'Uno'])
  })

  test('and restoring are each other’s inverse, in any tree', () => {
    const kit = make({ script: [] })
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.nat()), { minLength: 1, maxLength: 12 }), fc.nat(), (steps, pick) => {
        const { conversations } = kit.store
        const id = newId()
        conversations.put({ id, title: 't', model: 'm', createdAt: 1, updatedAt: 1, activity: { kind: 'idle' } })
        for (const [asks, branch] of steps) {
          const { nodes } = conversations.tree(id)
          // Mostly goes on where it is; else from somewhere else.
          if (branch % 3 === 0) conversations.setLeaf(id, nodes[branch % (nodes.length + 1)]?.id ?? null)
          const common = { id: newId(), conversationId: id, turnId: newId(), createdAt: 1 }
          conversations.putMessage(
            asks ? { ...common, role: 'user', text: '?' } : { ...common, role: 'assistant', model: 'm', parts: [], state: 'done' },
          )
        }
        const before = conversations.messages(id)
        const messageId = before[pick % before.length]?.id ?? ''
        const { ids } = kit.chat.branches.delete({ conversationId: id, messageId })
        const between = conversations.messages(id).map((message) => message.id)
        expect(between.filter((one) => ids.includes(one))).toEqual([])
        kit.chat.branches.restore({ conversationId: id, ids })
        expect(conversations.messages(id)).toEqual(before)
      }),
      { numRuns: 60 },
    )
  })
})

test('a fork goes on by itself: its messages and calls are others, and how it asks is as in a new chat', async () => {
  const kit = make({ script: [calls('files__read'), says('One'), says('Two'), says('There')], policy: () => ALLOW })
  const id = await kit.turn('a')
  kit.store.conversations.put({ ...kit.conversation(id), consentMode: 'ask-writes', pinned: true, folderId: 'f' })
  await kit.turn('b', id)
  const { conversationId: fork } = await kit.chat.branches.fork({ conversationId: id, messageId: messageOf(kit, id, 'One') })
  expect(shown(kit, fork)).toEqual(['a', '(tool-call)', 'One'])
  const ids = (of: string): string[] => [...kit.messages(of).map((message) => message.id), ...kit.toolCalls(of).map((call) => call.id)]
  expect(ids(fork).filter((one) => ids(id).includes(one))).toEqual([])
  const { consentMode, pinned, folderId, activity } = kit.conversation(fork)
  expect([consentMode, pinned, folderId, activity.kind]).toEqual([undefined, undefined, 'f', 'idle'])
  await kit.turn('c', fork)
  expect([shown(kit, fork).length, shown(kit, id).length]).toEqual([5, 5])
})

test('what a crash cuts off in a new branch is found there, and the old branch is as it was', async () => {
  const gate = Promise.withResolvers<void>()
  const kit = make({ script: [says('One'), [text('Un'), gate.promise, done()]] })
  const id = await kit.turn('a')
  kit.chat.branches.regenerate({ conversationId: id, messageId: messageOf(kit, id, 'One') })
  await expect.poll(() => shown(kit, id)).toEqual(['a', 'Un'])
  kit.chat.flush(id)
  kit.restart().recover()
  expect(kit.answers(id)).toMatchObject([{ state: 'interrupted', parts: [{ text: 'Un' }] }])
  expect(kit.conversation(id).activity.kind).toBe('interrupted')
  expect(kit.store.conversations.tree(id).nodes.length).toBe(3)
  gate.resolve()
  await kit.chat.idle(id)
})
