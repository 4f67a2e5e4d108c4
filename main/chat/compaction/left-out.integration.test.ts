// What the person keeps from the model: results and attachments, one by one, and back again.
import { afterEach, expect, test } from 'vitest'
import { keepAttachment } from '../attachments/keep.ts'
import { ALLOW, calls, makeChat, says, type TestChat } from '../testing.ts'

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
