import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { SummaryMessage } from '#app/chat/message.ts'
import { HostError } from '#app/errors.ts'
import type { ModelInfo } from '#app/models/models.ts'
import type { ModelEvent, ModelRequest } from '#main/models/provider.ts'
import { type Answer, calls, done, makeChat, says, type TestChat, type TestChatOptions, text, until } from '../chat.testing.ts'
import { makeOfferedTool } from '../fake-tools.testing.ts'

type Sent = Omit<ModelRequest, 'model'>

const small: ModelInfo = {
  id: 'anthropic/small',
  provider: 'anthropic',
  name: 'Small',
  contextTokens: 16_000,
  maxOutputTokens: 2000,
  ai: true,
}
const tooLong = new HostError('model.too-long', 'The conversation is longer than the model takes.')

const wordsOf = (request: Sent | undefined): string =>
  (request?.messages ?? []).flatMap(({ content }) => content.flatMap((block) => (block.type === 'text' ? [block.text] : []))).join('\n')
const isSummaryRequest = (request: Sent): boolean => wordsOf(request).includes('Write that summary now')
/** As a provider checks it: each call is answered in the very next message, and nothing else is. */
function expectPairs({ messages }: Sent): void {
  let open: string[] = []
  for (const { role, content } of messages) {
    const answered = content.flatMap((block) => (block.type === 'tool-result' ? [block.providerId] : []))
    if (role === 'user') expect(answered).toEqual(open)
    open = content.flatMap((block) => (block.type === 'tool-call' ? [block.providerId] : []))
  }
  expect(open).toEqual([])
}
const sizeOf = (request: Sent | undefined): number => JSON.stringify(request?.messages ?? []).length

let kit: TestChat
const start = (script: TestChatOptions['script'], more: Partial<TestChatOptions> = {}): void => {
  kit = makeChat({
    script,
    models: [small],
    tools: [makeOfferedTool('read')],
    run: () => Promise.resolve({ content: [{ type: 'text', text: `Found it. ${'data '.repeat(3000)}` }] }),
    policy: () => ({ kind: 'allow', scope: 'once' }),
    ...more,
  })
  kit.settings = { ...kit.settings, defaultModel: small.id }
}
const summaries = (id: string): SummaryMessage[] => kit.messages(id).filter((message) => message.role === 'summary')
const usage = (inputTokens: number): ModelEvent => ({ type: 'usage', usage: { inputTokens, outputTokens: 10 } })
/** Calls the tool so often, writes a summary whenever it is asked for one, then ends. */
function worker(steps: number, summary: Answer = [text('The person wants the file. Open: the end.'), usage(500), done()]) {
  let made = 0
  return Array.from({ length: steps * 3 }, () => (request: Sent): Answer => {
    if (isSummaryRequest(request)) return summary
    made += 1
    return made > steps ? says('All done') : calls(['files__read', `{"step":${made}}`])
  })
}

describe('a conversation that outgrows the model', () => {
  afterEach(() => kit.dispose())

  test('hears with the very next step what the person adds while it is summarised', async () => {
    const gate = Promise.withResolvers<void>()
    start(worker(22, [gate.promise, text('The person wants the file.'), usage(500), done()]))
    const { conversationId: id } = kit.chat.send({ text: 'Read all the files' })
    await until(() => kit.requests.some(isSummaryRequest))
    const next = kit.requests.length
    kit.chat.send({ conversationId: id, text: 'Only the last line counts' })
    gate.resolve()
    await kit.chat.idle(id)
    const after = kit.requests.slice(next).find((request) => !isSummaryRequest(request))
    expect(wordsOf(after)).toContain('Only the last line counts')
    expect(kit.messages(id).flatMap((message) => (message.role === 'user' ? [message.steered] : []))).toEqual(
      expect.arrayContaining(['given']),
    )
  })

  test('hears once only what the person adds while a refused request is made shorter', async () => {
    const gate = Promise.withResolvers<void>()
    let refused = false
    start(
      Array.from({ length: 20 }, (_, at) => (request: Sent): Answer => {
        if (isSummaryRequest(request)) return [gate.promise, text('The person wants the file.'), done()]
        if (at < 4) return calls(['files__read', `{"step":${at}}`])
        if (refused) return says('Done')
        refused = true
        return tooLong
      }),
    )
    const { conversationId: id } = kit.chat.send({ text: 'Read all the files' })
    await until(() => kit.requests.some(isSummaryRequest))
    kit.chat.send({ conversationId: id, text: 'Only the last line counts' })
    gate.resolve()
    await until(() => kit.answers(id).filter(({ state }) => state === 'done').length === 6)
    await kit.chat.idle(id)
    const asked = kit.requests.filter((request) => !isSummaryRequest(request)).map(wordsOf)
    expect(asked.map((words) => words.split('Only the last line counts').length - 1)).toEqual([0, 0, 0, 0, 0, 0, 1])
    expect(kit.requests.at(-1)?.messages.slice(-2)).toMatchObject([{ role: 'assistant', content: [{ text: 'Done' }] }, { role: 'user' }])
  })

  test('is summarised in the middle of a tool loop, which goes on, and no call is parted from its result', async () => {
    start(worker(22))
    const id = await kit.turn('Please read all the files, and call me Ishmael')
    expect(kit.conversation(id).activity).toEqual({ kind: 'idle' })
    expect(kit.sent).toHaveLength(22)
    expect(summaries(id).length).toBeGreaterThan(0)
    expect(summaries(id).every(({ state, by }) => state === 'done' && by === 'length')).toBe(true)
    for (const request of kit.requests) {
      expectPairs(request)
      expect(sizeOf(request) / 4).toBeLessThan(16_000)
    }
    const last = kit.requests.at(-1)
    expect(wordsOf(last)).toContain('The person wants the file. Open: the end.')
    expect(wordsOf(last)).toContain('call me Ishmael')
    expect(summaries(id)[0]).toMatchObject({ usage: { inputTokens: 500 } })
    expect(kit.requests.filter(isSummaryRequest).every(({ use }) => use?.purpose === 'summary' && use.conversationId === id)).toBe(true)
  })

  test('keeps every message in the store, and brings the whole history back when the summary is undone', async () => {
    start([...worker(5), says('Here'), says('There')])
    kit.settings = { ...kit.settings, compactAt: 20 }
    const id = await kit.turn('Read')
    const [summary] = summaries(id)
    expect(summary?.state).toBe('done')
    // What it stands for may be deleted; it still knows who had said it.
    expect(summary?.sources).toEqual([{ from: { kind: 'server', server: 'files' }, private: true, untrusted: true }])
    expect(kit.answers(id)).toHaveLength(6)
    kit.chat.context.changeSummary(id, summary?.id ?? '', { undone: true })
    kit.settings = { ...kit.settings, compactAt: 0 }
    await kit.turn('And now?', id)
    const results = kit.requests.at(-1)?.messages.flatMap(({ content }) => content.filter(({ type }) => type === 'tool-result')) ?? []
    expect(results).toHaveLength(5)
    expect(wordsOf(kit.requests.at(-1))).not.toContain('The person wants the file')
  })

  test('goes on with the summary as the person has edited it', async () => {
    start([says('x'.repeat(4000)), says('y'), says('A summary'), says('Yes')])
    const id = await kit.turn('z'.repeat(4000))
    await kit.turn('More', id)
    kit.chat.context.compact(id, 'the letter z')
    await kit.chat.idle(id)
    expect(wordsOf(kit.requests.at(-1))).toContain('the letter z')
    kit.chat.context.changeSummary(id, summaries(id)[0]?.id ?? '', { text: 'Nothing but zeds' })
    await kit.turn('Go on', id)
    expect(wordsOf(kit.requests.at(-1))).toContain('Nothing but zeds')
    expect(wordsOf(kit.requests.at(-1))).not.toContain('xxxx')
  })

  test('keeps its decisions and open tasks: the model is asked for both, and goes on with what it wrote under them', async () => {
    const decisions = '## Decisions\n\nPay by card; the person refused a transfer.'
    const tasks = '## Open tasks\n\n1. Read step 9.\n2. Tell Holm.'
    start(worker(22, [text(`${decisions}\n\n`), text(tasks), done()]))
    await kit.turn('Read all the files')
    const asked = kit.requests.findIndex(isSummaryRequest)
    const ask = kit.requests[asked]?.messages.at(-1)?.content.at(-1)
    expect(ask).toMatchObject({ byHost: true, text: expect.stringMatching(/decisions.*open tasks/is) })
    const next = kit.requests[asked + 1]
    expect([decisions, tasks].filter((part) => !wordsOf(next).includes(part))).toEqual([])
    expect(next?.messages.at(-1)).toMatchObject({ role: 'user', content: [{ type: 'tool-result' }] })
  })

  test('is never summarised by itself where the person has turned that off', async () => {
    start(worker(3))
    kit.settings = { ...kit.settings, compactAt: 0 }
    const id = await kit.turn('Read')
    expect(summaries(id)).toEqual([])
  })

  test('loses results, with notes, where the model writes no summary, and is not asked for one again in that turn', async () => {
    start(worker(9, new HostError('model.server-error', 'It broke.')))
    kit.settings = { ...kit.settings, compactAt: 30 }
    const id = await kit.turn('Read')
    expect(kit.conversation(id).activity).toEqual({ kind: 'idle' })
    expect(kit.requests.filter(isSummaryRequest)).toHaveLength(1)
    const [failed, ...later] = summaries(id)
    expect(failed).toMatchObject({ state: 'failed', error: { code: 'model.server-error' } })
    expect(failed?.leftOut?.length).toBeGreaterThan(0)
    expect(later.every(({ state }) => state === 'failed')).toBe(true)
    for (const request of kit.requests) expectPairs(request)
    const leftOut = kit.toolCalls(id).filter((call) => call.leftOut)
    expect(leftOut.map((call) => call.id)).toEqual(summaries(id).flatMap((one) => one.leftOut ?? []))
    kit.chat.context.changeSummary(id, failed?.id ?? '', { undone: true })
    expect(kit.toolCalls(id).filter((call) => call.leftOut)).toHaveLength(leftOut.length - (failed?.leftOut?.length ?? 0))
  })
})

describe('a request that is refused for its length', () => {
  afterEach(() => kit.dispose())

  test('is made shorter and sent once more, also where nobody knows what the model takes', async () => {
    start([calls('files__read'), calls('files__read'), tooLong, says('Short now'), says('Here you are')])
    kit.settings = { ...kit.settings, defaultModel: 'anthropic/scripted' }
    const id = await kit.turn('Read it twice')
    expect(kit.conversation(id).activity).toEqual({ kind: 'idle' })
    expect(isSummaryRequest(kit.requests[3] as Sent)).toBe(true)
    expect(sizeOf(kit.requests[4])).toBeLessThan(sizeOf(kit.requests[2]))
    expect(kit.answers(id).map(({ state }) => state)).toEqual(['done', 'done', 'done'])
    expect(summaries(id)).toMatchObject([{ by: 'refused', state: 'done' }])
    expect(kit.sent).toHaveLength(2)
  })

  test('fails as before where nothing can be made shorter', async () => {
    start([tooLong])
    const id = await kit.turn('Hello')
    expect(kit.conversation(id).activity).toMatchObject({ kind: 'failed', error: { code: 'model.too-long' } })
    expect(kit.requests).toHaveLength(1)
  })
})

describe('a summary', () => {
  let gate: PromiseWithResolvers<void>
  let id: string
  beforeEach(async () => {
    gate = Promise.withResolvers()
    start([says('x'.repeat(8000)), says('y'), [text('Half a summ'), gate.promise, text('ary'), done()], says('Whole')])
    id = await kit.turn('z'.repeat(4000))
    await kit.turn('More', id)
    kit.chat.context.compact(id, undefined)
    await until(() => kit.requests.length === 3)
  })
  afterEach(async () => {
    gate.resolve()
    await kit.dispose()
  })

  test('that is stopped changes nothing for the model', async () => {
    expect(kit.conversation(id).activity).toMatchObject({ kind: 'working', compacting: 2 })
    kit.chat.stop(id)
    await kit.chat.idle(id)
    expect(summaries(id)).toMatchObject([{ state: 'stopped' }])
    expect(kit.conversation(id).activity).toEqual({ kind: 'idle' })
    await kit.turn('Go on', id)
    expect(wordsOf(kit.requests.at(-1))).toContain('xxxx')
  })

  test('that a crash cut off changes nothing for the model, and leaves no turn to go on with', async () => {
    const chat = kit.restart()
    chat.recover()
    expect(summaries(id)).toMatchObject([{ state: 'interrupted' }])
    expect(kit.conversation(id).activity).toEqual({ kind: 'idle' })
    chat.send({ conversationId: id, text: 'Go on' })
    await chat.idle(id)
    expect(wordsOf(kit.requests.at(-1))).toContain('xxxx')
    await chat.dispose()
  })

  test('keeps others from beginning a turn while it is written: what the person writes then is answered after it', async () => {
    expect(() => kit.chat.context.compact(id, undefined)).toThrow(expect.objectContaining({ code: 'chat.busy' }))
    kit.chat.send({ conversationId: id, text: 'And then?' })
    gate.resolve()
    await until(() => kit.requests.length === 4)
    await kit.chat.idle(id)
    expect(summaries(id)).toMatchObject([{ state: 'done', text: 'Half a summary' }])
    expect(wordsOf(kit.requests.at(-1))).toContain('Half a summary')
    expect(wordsOf(kit.requests.at(-1))).toContain('And then?')
  })

  test('is taken along, with what it stands for, where a chat goes on as another', async () => {
    gate.resolve()
    await kit.chat.idle(id)
    const { conversationId: fork } = await kit.chat.branches.fork({ conversationId: id, messageId: kit.messages(id).at(-1)?.id ?? '' })
    await kit.turn('Here?', fork)
    expect(wordsOf(kit.requests.at(-1))).toContain('Half a summary')
    expect(wordsOf(kit.requests.at(-1))).not.toContain('xxxx')
  })
})
