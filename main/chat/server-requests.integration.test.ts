// What a server asks in the course of a call, through the real broker.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CreateMessageRequestParams, ElicitRequestParams } from '@modelcontextprotocol/client'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { HostError } from '#app/errors.ts'
import type { JsonObject } from '#app/json.ts'
import { isProtocolError } from '#main/base/protocol-error.ts'
import type { AskedBy } from '#main/servers/client/requests/server-request-handlers.ts'
import { ALLOW, calls, done, makeChat, says, type TestChat, type TestChatOptions, text } from './chat.testing.ts'

let open: TestChat[] = []
beforeEach(() => {
  open = []
})
afterEach(async () => {
  await Promise.all(open.map((kit) => kit.dispose()))
})

const callsAllowed: NonNullable<TestChatOptions['policy']> = (request) => (request.kind === 'tool-call' ? ALLOW : undefined)
const form: ElicitRequestParams = {
  mode: 'form',
  message: 'Who?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
}
const prompt: CreateMessageRequestParams = {
  messages: [{ role: 'user', content: { type: 'text', text: 'Sum up' } }],
  systemPrompt: 'Be brief',
  maxTokens: 50,
}

/** A chat in which a call of `files` is running and asks `ask`; its answer, or what it threw, is in `heard`. */
function asking(
  ask: (kit: TestChat, by: AskedBy) => Promise<unknown>,
  more: Partial<TestChatOptions> = {},
): { kit: TestChat; id: string; heard: unknown[] } {
  const heard: unknown[] = []
  const kit: TestChat = makeChat({
    script: [calls('files__read'), says('Summed up'), says('Done')],
    policy: callsAllowed,
    async run(_approval, call): Promise<JsonObject> {
      heard.push(await ask(kit, { server: 'files', call, signal: call.signal }).catch((error: unknown) => error))
      return { content: [] }
    },
    ...more,
  })
  open.push(kit)
  const { conversationId: id } = kit.chat.send({ text: 'Go' })
  return { kit, id, heard }
}

describe('a form', () => {
  const elicit = (kit: TestChat, by: AskedBy): Promise<unknown> => kit.chat.handlers.elicitation(form, by)

  test('is asked in the conversation of its call, and the conversation waits meanwhile', async () => {
    const { kit, id, heard } = asking(elicit)
    const [request] = await kit.asked()
    expect(request).toMatchObject({ kind: 'elicitation-form', server: 'files', conversationId: id, callId: kit.toolCalls(id)[0]?.id })
    expect([kit.conversation(id).activity.kind, kit.states(id)]).toEqual(['waiting', ['running']])
    await kit.answer({ kind: 'allow', scope: 'once', content: { name: 'Maya' } })
    await kit.chat.idle(id)
    expect(heard).toEqual([{ action: 'accept', content: { name: 'Maya' } }])
  })

  test('takes none of the call’s own time, however long the person thinks', async () => {
    const { kit, id } = asking(async (chat, by) => {
      chat.clock.advance(30)
      const answer = await elicit(chat, by)
      chat.clock.advance(50)
      return answer
    })
    await kit.asked()
    kit.clock.advance(60_000)
    await kit.answer({ kind: 'allow', scope: 'once', content: { name: 'Maya' } })
    await kit.chat.idle(id)
    expect(kit.toolCalls(id).map(({ state }) => state)).toMatchObject([{ kind: 'done', durationMs: 80 }])
  })

  test.each([
    ['deny', 'decline'],
    ['cancel', 'cancel'],
  ] as const)('that is answered with %s tells the server %s', async (kind, action) => {
    const { kit, id, heard } = asking(elicit)
    await kit.answer({ kind })
    await kit.chat.idle(id)
    expect(heard).toEqual([{ action }])
  })

  test('is withdrawn when the person stops the turn', async () => {
    const { kit, id } = asking(elicit)
    await kit.asked()
    kit.chat.stop(id)
    await kit.chat.idle(id)
    expect([kit.broker.open(), kit.states(id), kit.conversation(id).activity]).toEqual([[], ['cancelled'], { kind: 'idle' }])
  })

  test.each([
    ['answered', { content: [] }, 'done'],
    ['failed', new HostError('tool.timeout', 'It took too long.'), 'failed'],
  ] as const)('that is still open when its call has %s is withdrawn with it', async (_, end, state) => {
    const heard: unknown[] = []
    const { kit, id } = asking(() => Promise.resolve(), {
      async run(_approval, call) {
        // Its own signal is that of the server's connection, which stays.
        const by = { server: 'files', call, signal: new AbortController().signal }
        void kit.chat.handlers.elicitation(form, by).catch((error: unknown) => heard.push(error))
        await kit.asked()
        if (end instanceof Error) throw end
        return end
      },
    })
    await kit.chat.idle(id)
    const closed = kit.events('consent.closed').filter(({ outcome }) => outcome === 'withdrawn')
    expect(heard).toHaveLength(1)
    expect([kit.broker.open(), kit.states(id), closed.map(({ because }) => because)]).toEqual([[], [state], ['call-ended']])
  })

  test('of a server whose calls run in no conversation belongs to none', async () => {
    const { kit, id } = asking((chat) => chat.chat.handlers.elicitation(form, { server: 'other', signal: new AbortController().signal }))
    const [request] = await kit.asked()
    expect(request).not.toHaveProperty('conversationId')
    expect(kit.conversation(id).activity.kind).toBe('working')
  })
})

describe('a page to open', () => {
  const elicit = (kit: TestChat, by: AskedBy): Promise<unknown> =>
    kit.chat.handlers.elicitation({ mode: 'url', message: 'Sign in', url: 'https://example.com/in', elicitationId: 'e' }, by)

  test('is opened by an approval, once the person agrees', async () => {
    const opened: string[] = []
    const { kit, id, heard } = asking(elicit, { openUrl: ({ url }) => Promise.resolve(opened.push(url)) })
    await kit.answer(ALLOW)
    await kit.chat.idle(id)
    expect([opened, heard]).toEqual([['https://example.com/in'], [{ action: 'accept' }]])
  })

  test('says on its call that it waits for the person to finish, and when they have', async () => {
    const done = Promise.withResolvers<void>()
    const { kit, id } = asking(
      async (chat, by) => {
        const params: ElicitRequestParams = { mode: 'url', message: 'Sign in', url: 'https://example.com/in', elicitationId: 'e' }
        const answer = await chat.chat.handlers.elicitation(params, { ...by, finished: done.promise })
        chat.clock.advance(1000)
        done.resolve()
        await new Promise(setImmediate)
        return answer
      },
      { openUrl: () => Promise.resolve() },
    )
    await kit.answer(ALLOW)
    await kit.chat.idle(id)
    const words = kit.events('toolCall.changed').flatMap(({ state }) => (state.kind === 'running' ? (state.progress?.message ?? []) : []))
    expect(words).toEqual([expect.stringContaining('example.com'), expect.stringContaining('example.com')])
    expect(words[0]).not.toBe(words[1])
  })

  test('is asked for no longer when the person has finished there by themselves', async () => {
    const done = Promise.withResolvers<void>()
    const opened: string[] = []
    const { kit, id, heard } = asking(
      (chat, by) =>
        chat.chat.handlers.elicitation(
          { mode: 'url', message: 'Sign in', url: 'https://example.com/in', elicitationId: 'e' },
          { ...by, finished: done.promise },
        ),
      { openUrl: ({ url }) => Promise.resolve(opened.push(url)) },
    )
    await kit.asked()
    done.resolve()
    await kit.chat.idle(id)
    expect([kit.broker.open(), opened, heard]).toEqual([[], [], [{ action: 'cancel' }]])
  })

  test('is not opened when the person refuses', async () => {
    const opened: string[] = []
    const { kit, id, heard } = asking(elicit, { openUrl: ({ url }) => Promise.resolve(opened.push(url)) })
    await kit.answer({ kind: 'deny' })
    await kit.chat.idle(id)
    expect([opened, heard]).toEqual([[], [{ action: 'decline' }]])
  })
})

describe('an answer of the model', () => {
  const sample = (kit: TestChat, by: AskedBy): Promise<unknown> => kit.chat.handlers.sampling(prompt, by)

  test('is given after two assents, and the model sees nothing but the prompt', async () => {
    const { kit, id, heard } = asking(sample)
    expect(await kit.asked()).toMatchObject([
      { kind: 'sampling', messages: [{ role: 'user', parts: [{ type: 'text', text: 'Sum up' }] }], tools: [], model: 'anthropic/scripted' },
    ])
    expect(kit.requests).toHaveLength(1)
    await kit.answer(ALLOW)
    await expect.poll(() => kit.broker.open().map(({ kind }) => kind)).toEqual(['sampling-result'])
    await kit.answer({ kind: 'allow', scope: 'once', text: 'Shorter' })
    await kit.chat.idle(id)
    expect(kit.requests[1]).toEqual({
      system: 'Be brief',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Sum up' }] }],
      tools: [],
      maxTokens: 50,
      use: { purpose: 'sampling' },
    })
    expect(heard).toEqual([{ model: 'scripted', role: 'assistant', content: { type: 'text', text: 'Shorter' }, stopReason: 'endTurn' }])
  })

  test('is wanted as the server says: what the model can be told of it goes on, the rest is shown', async () => {
    const ask = (chat: TestChat, by: AskedBy): Promise<unknown> =>
      chat.chat.handlers.sampling(
        {
          ...prompt,
          modelPreferences: { hints: [{ name: 'gpt' }], speedPriority: 1 },
          temperature: 0.2,
          stopSequences: ['END'],
          includeContext: 'allServers',
          metadata: { user: 'maya' },
        },
        by,
      )
    const { kit, id, heard } = asking(ask, { script: [calls('files__read'), [text('One'), done('stop-sequence')], says('Done')] })
    expect(await kit.asked()).toMatchObject([
      {
        hints: ['gpt'],
        wishes: {
          priorities: { speed: 1 },
          chosenBy: 'priorities',
          temperature: 0.2,
          stopSequences: ['END'],
          includeContext: 'allServers',
          metadata: true,
        },
      },
    ])
    await kit.answer({ kind: 'allow', scope: 'once', maxTokens: 20 })
    await expect
      .poll(() => kit.broker.open())
      .toMatchObject([{ kind: 'sampling-result', sent: ['Be brief', 'Sum up'], took: { tokens: 5 } }])
    await kit.answer(ALLOW)
    await kit.chat.idle(id)
    expect(kit.requests[1]).toMatchObject({ temperature: 0.2, stopSequences: ['END'], maxTokens: 20 })
    expect(heard).toMatchObject([{ stopReason: 'stopSequence', content: { text: 'One' } }])
  })

  test('that fails before it begins costs nothing of the day; one that breaks off costs what came', async () => {
    for (const [answer, tokens] of [
      [new HostError('model.offline', 'Away'), 0],
      [[text('Nearly eight')], 7],
    ] as const) {
      const { kit, id } = asking(sample, { script: [calls('files__read'), answer, says('Done')] })
      await kit.answer(ALLOW)
      await kit.chat.idle(id)
      expect(kit.broker.samplingDay('files').used).toBe(tokens)
    }
  })

  test('that is refused before is never asked for', async () => {
    const { kit, id, heard } = asking(sample, { script: [calls('files__read'), says('Done')] })
    await kit.answer({ kind: 'deny' })
    await kit.chat.idle(id)
    expect(heard).toEqual([expect.objectContaining({ code: -1 })])
  })

  test('that is refused after is kept back', async () => {
    const { kit, id, heard } = asking(sample)
    await kit.answer(ALLOW)
    await expect.poll(() => kit.broker.open().map(({ kind }) => kind)).toEqual(['sampling-result'])
    await kit.answer({ kind: 'deny' })
    await kit.chat.idle(id)
    expect(heard).toEqual([expect.objectContaining({ code: -1 })])
  })

  test.each([
    ['fails', new HostError('model.key-refused', 'The key sk-secret is bad.')],
    ['refuses', [text('I'), done('refusal')]],
    ['breaks off', [text('I')]],
  ])('that %s is a protocol error without the provider’s words', async (_, answer) => {
    const { kit, id, heard } = asking(sample, { script: [calls('files__read'), answer, says('Done')] })
    await kit.answer(ALLOW)
    await kit.chat.idle(id)
    expect(heard).toEqual([expect.toSatisfy(isProtocolError)])
    expect(String(heard[0])).not.toContain('sk-secret')
  })
})

describe('folders', () => {
  const parent = mkdtempSync(join(tmpdir(), 'assent-roots-'))
  afterAll(() => rmSync(parent, { recursive: true, force: true }))
  const folder = join(parent, 'My work')
  mkdirSync(folder)
  const told = [{ uri: expect.stringMatching(/^file:\/\/\/.*\/My%20work$/), name: 'My work' }]

  test.each([
    ['are told once the person agrees', ALLOW, told],
    ['are not told when the person refuses', { kind: 'deny' } as const, []],
  ])('%s', async (_, answer, roots) => {
    const { kit, id, heard } = asking((chat, by) => chat.chat.handlers.roots(by), { roots: () => [folder] })
    const [request] = await kit.asked()
    expect(request).toMatchObject({ kind: 'roots', server: 'files', conversationId: id, roots: told })
    await kit.answer(answer)
    await kit.chat.idle(id)
    expect(heard).toEqual([{ roots }])
  })

  test('that are gone, or are none, are not told', async () => {
    const file = join(parent, 'note.txt')
    writeFileSync(file, '')
    const ask = (chat: TestChat, by: AskedBy) => chat.chat.handlers.roots(by)
    const gone = join(parent, 'gone')
    const { kit, id, heard } = asking(ask, { roots: () => [folder, gone, file] })
    expect((await kit.asked())[0]).toMatchObject({ roots: told, missing: [gone, file] })
    await kit.answer(ALLOW)
    await kit.chat.idle(id)
    expect(heard).toEqual([{ roots: told }])
  })

  test('are those of the conversation in which it asks; a server that was told others hears of it before its next call', async () => {
    const own = join(parent, 'of-a-chat')
    mkdirSync(own)
    const changed: (string | undefined)[] = []
    const heard: unknown[] = []
    const kit = makeChat({
      script: [calls('files__read'), says('One'), calls('files__read'), says('Two'), calls('files__read'), says('Three')],
      policy: () => ALLOW,
      roots: (server, conversationId) => (server === 'files' && conversationId === first ? [folder] : [own]),
      onRootsChanged: (server) => changed.push(server),
      async run(_approval, call): Promise<JsonObject> {
        // A server asks when it is told that there is something new; at first by itself.
        if (heard.length === 0 || changed.length === heard.length)
          heard.push((await kit.chat.handlers.roots({ server: 'files', call, signal: call.signal })).roots.map(({ name }) => name))
        return { content: [] }
      },
    })
    open.push(kit)
    let first: string | undefined
    const begun = kit.chat.send({ text: 'Go' })
    first = begun.conversationId
    await kit.chat.idle(first)
    await kit.turn('Again', first)
    const before = [...changed]
    await kit.turn('Elsewhere')
    expect([before, changed, heard]).toEqual([[], ['files'], [['My work'], ['of-a-chat']]])
  })

  test('of which one vanishes are others: the server hears of it before its next call', async () => {
    const passing = join(parent, 'passing')
    mkdirSync(passing)
    const changed: (string | undefined)[] = []
    const kit = makeChat({
      script: [calls('files__read'), says('One'), calls('files__read'), says('Two')],
      policy: () => ALLOW,
      roots: () => [folder, passing],
      onRootsChanged: (server) => changed.push(server),
      async run(_approval, call): Promise<JsonObject> {
        if (changed.length === 0) await kit.chat.handlers.roots({ server: 'files', call, signal: call.signal })
        return { content: [] }
      },
    })
    open.push(kit)
    const id = await kit.turn('Go')
    rmSync(passing, { recursive: true })
    await kit.turn('Again', id)
    expect(changed).toEqual(['files'])
  })
})

test('without a folder to share nobody is asked about it', async () => {
  const { kit, id, heard } = asking((chat, by) => chat.chat.handlers.roots(by))
  await kit.chat.idle(id)
  expect([
    heard,
    kit
      .rows()
      .map(({ kind }) => kind)
      .includes('call'),
  ]).toEqual([[{ roots: [] }], true])
})
