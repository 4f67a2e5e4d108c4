// Images of tools that are larger than models take: over a real store, with a page that a test plays.
import { afterEach, expect, test } from 'vitest'
import type { ToolCall } from '#app/chat/message.ts'
import { ALLOW, calls, makeChat, says, type TestChat, type TestChatOptions, until } from '../chat.testing.ts'

/** As far as a header goes, a PNG. */
const png = (width: number, height: number): Buffer => {
  const size = Buffer.alloc(8)
  size.writeUInt32BE(width)
  size.writeUInt32BE(height, 4)
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'), size, Buffer.alloc(4)])
}
const large = png(4000, 3000)
const small = png(1568, 1176)

let kit: TestChat
afterEach(() => kit.dispose())
function start(given: Buffer, options: Partial<TestChatOptions> = {}): void {
  kit = makeChat({
    script: [calls('files__read'), says('I see'), says('Still')],
    run: async () => ({ content: [{ type: 'image', data: given.toString('base64'), mimeType: 'image/png' }] }),
    policy: () => ALLOW,
    ...options,
  })
}
const wanted = (): string[] => kit.events('image.wanted').map(({ sha256 }) => sha256)
/** What the model was sent of it, in that request. */
const sent = (request: number): unknown =>
  kit.requests[request]?.messages.flatMap(({ content }) => content.flatMap((block) => (block.type === 'tool-result' ? block.content : [])))
const blockOf = (call: ToolCall | undefined) => (call?.state.kind === 'done' ? call.state.result.content[0] : undefined)
const image = (bytes: Buffer): object => ({ type: 'image', mimeType: 'image/png', data: bytes.toString('base64') })
const note = { type: 'text', text: expect.stringContaining('larger than you take') }

test('a page makes it smaller, once; the model gets that, and the whole stays in the store', async () => {
  start(large)
  const { conversationId: id } = kit.chat.send({ text: 'Look' })
  await until(() => wanted().length === 1)
  kit.chat.scaledImage(wanted()[0] ?? '', small)
  await kit.chat.idle(id)
  await kit.turn('And now?', id)
  expect([wanted().length, sent(1), sent(2)]).toEqual([1, [image(small)], [image(small)]])
  const block = blockOf(kit.toolCalls(id)[0])
  expect(block).toMatchObject({ type: 'image', blob: { sha256: wanted()[0], bytes: large.length }, forModel: { kind: 'scaled' } })
  expect(kit.store.blobs.get(wanted()[0] ?? '')?.bytes).toEqual(new Uint8Array(large))
})

test('where no page answers it is left out with a word, and asked for again in the next turn', async () => {
  start(large)
  const { conversationId: id } = kit.chat.send({ text: 'Look' })
  await until(() => wanted().length === 1)
  kit.clock.advance(60_000)
  await kit.chat.idle(id)
  expect([sent(1), blockOf(kit.toolCalls(id)[0])]).toMatchObject([[note], { forModel: { kind: 'left-out', why: 'no-window' } }])
  kit.chat.send({ text: 'And now?', conversationId: id })
  await until(() => wanted().length === 2)
  kit.chat.scaledImage(wanted()[1] ?? '', small)
  await kit.chat.idle(id)
  expect(sent(2)).toEqual([image(small)])
})

test.each([
  ['a page cannot draw it', large, undefined],
  ['what comes back is as large as before', large, large],
  ['what comes back is no image', large, Buffer.from('words')],
])('it is left out for good where %s', async (_title, given, drawn) => {
  start(given)
  const { conversationId: id } = kit.chat.send({ text: 'Look' })
  await until(() => wanted().length === 1)
  kit.chat.scaledImage(wanted()[0] ?? '', drawn)
  await kit.chat.idle(id)
  await kit.turn('And now?', id)
  expect([wanted().length, sent(1), sent(2)]).toEqual([1, [note], [note]])
  expect(blockOf(kit.toolCalls(id)[0])).toMatchObject({ forModel: { why: 'undrawable' } })
})

test.each<[string, Buffer, Partial<TestChatOptions>, unknown]>([
  ['one that fits goes as it is', small, {}, [image(small)]],
  ['one that no page could draw is left out at once', png(40_000, 40_000), {}, [note]],
  ['where nobody is there it is left out at once', large, { attended: false }, [note]],
  ['where nobody is there one that is no more than long goes as it is', png(1800, 100), { attended: false }, [image(png(1800, 100))]],
])('no page is asked: %s', async (_title, given, options, expected) => {
  start(given, options)
  await kit.turn('Look')
  expect([wanted(), sent(1)]).toEqual([[], expected])
})
