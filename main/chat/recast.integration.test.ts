import { afterEach, expect, test } from 'vitest'
import { done, makeChat, type TestChat, text } from './chat.testing.ts'

let kit: TestChat
afterEach(() => kit.dispose())

test('words that turn out to be thinking are kept and told as such, apart from the answer', async () => {
  kit = makeChat({ script: [[text('H'), text('m'), { type: 'recast', index: 0, as: 'thinking', text: 'Hm' }, text('Hi', 1), done()]] })
  const id = await kit.turn('Go')
  const parts = [
    { kind: 'thinking', text: 'Hm' },
    { kind: 'text', text: 'Hi' },
  ]
  expect(kit.answers(id)).toMatchObject([{ parts, state: 'done' }])
  expect(kit.events('message.changed').at(-1)?.message).toMatchObject({ parts })
})
