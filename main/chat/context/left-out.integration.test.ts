// What the person keeps from the model: results and attachments, one by one, and back again.
import { afterEach, expect, test } from 'vitest'
import { HostError } from '#app/errors.ts'
import { keepAttachment } from '../attachments/store-attachment.ts'
import { ALLOW, calls, makeChat, says, type TestChat } from '../chat.testing.ts'
import { makeOfferedTool } from '../fake-tools.testing.ts'

let kit: TestChat
afterEach(() => kit.dispose())

const lastWords = (): string => JSON.stringify(kit.requests.at(-1)?.messages)
const listed = (id: string): unknown[] => kit.chat.context.view(id).largest.map(({ kind, name, leftOut }) => [kind, name, leftOut])

test('an attachment and a result are left out, said to be so, listed with what they would take, and put back', async () => {
  kit = makeChat({
    script: [calls('files__read'), says('One'), says('Two'), says('Three')],
    run: async () => ({ content: [{ type: 'text', text: 'A row of the table. '.repeat(100) }] }),
    policy: () => ALLOW,
  })
  const bytes = Buffer.from('The rent is 900 a month. '.repeat(200))
  const attachment = keepAttachment({ bytes, name: 'lease.txt' }, kit.store.blobs)
  const { conversationId: id } = kit.chat.send({ text: 'Read it', attachments: [attachment] })
  await kit.chat.idle(id)
  const callId = kit.toolCalls(id)[0]?.id ?? ''
  const full = kit.chat.context.view(id)
  const items = [
    { kind: 'attachment', id: attachment.id },
    { kind: 'result', id: callId },
  ] as const

  for (const item of items) kit.chat.context.leaveOut(id, item, true)
  expect(listed(id)).toEqual([
    ['attachment', 'lease.txt', true],
    ['result', 'read', true],
  ])
  const less = kit.chat.context.view(id)
  expect(less.largest.map(({ tokens }) => tokens)).toEqual(full.largest.map(({ tokens }) => tokens))
  expect(less.used).toBeLessThan(full.used - 1500)
  expect(kit.conversation(id).contextTokens).toBe(less.used)
  await kit.turn('And now?', id)
  expect(['The rent is', 'A row of', 'lease.txt'].map((words) => lastWords().includes(words))).toEqual([false, false, true])

  for (const item of items) kit.chat.context.leaveOut(id, item, false)
  await kit.turn('And then?', id)
  expect(['The rent is', 'A row of'].map((words) => lastWords().includes(words))).toEqual([true, true])
  expect(kit.messages(id)[0]).toMatchObject({ attachments: [attachment] })
})

test('a late result comes to a message that was changed since its turn, and both changes survive', async () => {
  let comesLate = (): void => {}
  kit = makeChat({
    script: [calls('files__read', 'files__list'), says('One took too long'), says('Well')],
    tools: [makeOfferedTool('read'), makeOfferedTool('list')],
    run({ tool }, { onLate }) {
      if (tool === 'list') return Promise.resolve({ content: [{ type: 'text', text: 'a row' }] })
      comesLate = () => onLate?.({ result: { content: [{ type: 'text', text: 'at last' }] }, bytes: 40 })
      return Promise.reject(new HostError('tool.timeout', 'Too slow.'))
    },
    policy: () => ALLOW,
  })
  const id = await kit.turn('Go')
  const listId = kit.toolCalls(id).find(({ tool }) => tool === 'list')?.id ?? ''
  kit.chat.context.leaveOut(id, { kind: 'result', id: listId }, true)
  comesLate()
  const both = [
    { tool: 'read', state: { kind: 'failed', late: { result: { content: [{ text: 'at last' }] } } } },
    { tool: 'list', leftOut: 'person' },
  ]
  expect(kit.toolCalls(id)).toMatchObject(both)
  kit.chat.context.leaveOut(id, { kind: 'result', id: listId }, false)
  expect(kit.toolCalls(id)).toMatchObject([both[0], { tool: 'list', state: { kind: 'done' } }])
  expect(kit.toolCalls(id)[1]).not.toHaveProperty('leftOut')
})

test('the meter says what the chat’s bar says: what the provider counted, until something is left out', async () => {
  kit = makeChat({
    script: [
      calls('files__read'),
      [
        { type: 'text', index: 0, text: 'One' },
        { type: 'usage', usage: { inputTokens: 70, outputTokens: 7 } },
        { type: 'done', reason: 'end' },
      ],
    ],
    run: async () => ({ content: [{ type: 'text', text: 'A row of the table. '.repeat(100) }] }),
    policy: () => ALLOW,
  })
  const id = await kit.turn('Read it')
  expect([kit.conversation(id).contextTokens, kit.chat.context.view(id).used]).toEqual([77, 77])
  kit.chat.context.leaveOut(id, { kind: 'result', id: kit.toolCalls(id)[0]?.id ?? '' }, true)
  expect(kit.chat.context.view(id).used).toBe(kit.conversation(id).contextTokens)
})

test('a late result of a call whose answer still runs others is kept with what those came to', async () => {
  let comesLate = (): void => {}
  const gate = Promise.withResolvers<void>()
  kit = makeChat({
    script: [calls('files__read', 'files__list'), says('Done')],
    tools: [makeOfferedTool('read'), makeOfferedTool('list')],
    async run({ tool }, { onLate }) {
      if (tool === 'read') {
        comesLate = () => onLate?.({ result: { content: [] }, bytes: 4 })
        throw new HostError('tool.timeout', 'Too slow.')
      }
      await gate.promise
      return { content: [{ type: 'text', text: 'a row' }] }
    },
    policy: () => ALLOW,
  })
  const { conversationId: id } = kit.chat.send({ text: 'Go' })
  await expect.poll(() => kit.states(id)).toEqual(['failed', 'running'])
  comesLate()
  gate.resolve()
  await kit.chat.idle(id)
  expect(kit.toolCalls(id)).toMatchObject([{ state: { kind: 'failed', late: {} } }, { state: { kind: 'done' } }])
})
