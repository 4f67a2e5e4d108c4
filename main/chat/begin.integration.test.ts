// What a chat begins with, over a real store.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ALLOW, calls, makeChat, says, type TestChat } from './chat.testing.ts'

let kit: TestChat
beforeEach(() => {
  kit = makeChat({ script: [calls('files__write'), says('No'), says('Well')], policy: () => ALLOW })
  kit.store.chatFolders.put({ id: 'f', name: 'Work', createdAt: 1, consentMode: 'ask-all' })
})
afterEach(() => kit.dispose())

test('what is switched off before the first message is not sent with it, and not run', async () => {
  const tools = { servers: [], tools: { files: ['write'] } }
  const { conversationId: id } = kit.chat.send({ text: 'Write it', tools })
  await kit.chat.idle(id)
  const sent = kit.requests[0]?.tools.map(({ name }) => name)
  expect([sent?.includes('files__read'), sent?.includes('files__write'), kit.sent, kit.states(id)]).toEqual([true, false, [], ['failed']])
  expect(kit.conversation(id).tools).toEqual(tools)
})

test('an assistant gives a chat its instructions, model, servers and mode; what the person chose comes before', async () => {
  kit.settings = { ...kit.settings, instructions: 'Be kind.' }
  kit.store.personal.put('assistant', { id: 'a', name: 'Clerk', instructions: 'Be brief.', servers: ['other'], consentMode: 'ask-all' })
  const { conversationId: id } = kit.chat.send({ text: 'Write it', assistantId: 'a' })
  await kit.chat.idle(id)
  const { conversationId: own } = kit.chat.send({
    text: 'Again',
    assistantId: 'a',
    consentMode: 'rules',
    tools: { servers: [], tools: {} },
  })
  await kit.chat.idle(own)
  const system = String(kit.requests[0]?.system)
  expect([system.indexOf('Be kind.') > 0, system.indexOf('Be brief.') > system.indexOf('Be kind.')]).toEqual([true, true])
  expect(kit.conversation(id)).toMatchObject({ assistant: 'Clerk', consentMode: 'ask-all', tools: { servers: ['files'], tools: {} } })
  expect([kit.conversation(own).consentMode, kit.conversation(own).tools]).toEqual([undefined, { servers: [], tools: {} }])
  // A deleted one is as none.
  kit.store.personal.remove('assistant', ['a'])
  const { conversationId: without } = kit.chat.send({ text: 'c', assistantId: 'a' })
  expect([kit.conversation(without).assistant, kit.conversation(without).parameters]).toEqual([undefined, undefined])
})

test('the way it asks that was chosen for it alone counts from the first call on, and is on record', () => {
  const { conversationId: own } = kit.chat.send({ text: 'a', folderId: 'f', consentMode: 'rules-only' })
  const { conversationId: folders } = kit.chat.send({ text: 'b', folderId: 'f' })
  expect([kit.conversation(own).consentMode, kit.conversation(folders).consentMode]).toEqual(['rules-only', 'ask-all'])
  expect(kit.rows().filter(({ kind }) => kind === 'mode')).toMatchObject([
    { decision: 'rules-only', by: 'person', conversationId: own, detail: { before: 'ask-all' } },
  ])
})
