import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { LaunchTarget } from '#app/consent/request.ts'
import type { JsonObject } from '#app/json.ts'
import { makeBroker, type TestBroker, thrownBy } from './broker.testing.ts'
import type { ConsentBroker } from './broker-api.ts'

let t: TestBroker
beforeEach(() => {
  t = makeBroker()
})
afterEach(() => t.dispose())

const target: LaunchTarget = { transport: 'stdio', command: 'npx', args: ['-y', 'server', '/data'], envNames: ['TOKEN', 'HOME'] }
const ask = { server: 'demo', conversationId: 'c1', callId: 'call-1' }
const yes = { kind: 'allow', scope: 'once' } as const
const launch = (part: Partial<LaunchTarget> = {}, broker: ConsentBroker = t.broker) =>
  broker.launch({ server: 'demo', signal: t.abort.signal, target: { ...target, ...part } as LaunchTarget })

describe('a launch', () => {
  test('that one press allowed with others says so in its row', async () => {
    const started = launch()
    t.answer({ kind: 'allow', scope: 'always', group: { id: 'g', size: 4 } })
    expect(await started).toMatchObject({ kind: 'allowed', decision: { together: 4 } })
    expect(t.rows().at(-1)).toMatchObject({ kind: 'launch', decision: 'allowed', detail: { group: { id: 'g', size: 4 } } })
  })

  test('of another program under the same name voids what its tools were allowed, and keeps what they were refused', async () => {
    const { rules } = t.profile.store()
    const first = launch()
    t.answer(yes)
    await first
    const base = { server: 'demo', scope: { kind: 'always' }, createdAt: 1 } as const
    rules.put({ ...base, id: 'gone', effect: 'allow', tool: 'a' })
    rules.put({ ...base, id: 'removed', effect: 'allow', tool: 'b' })
    rules.put({ ...base, id: 'kept', effect: 'deny', tool: 'c' })
    rules.put({ ...base, id: 'other', effect: 'allow', server: 'web', tool: 'a' })
    t.broker.removeRule('removed')
    const second = launch({ command: '/bin/other' } as Partial<LaunchTarget>)
    t.answer(yes)
    await second
    expect(t.broker.rules().map(({ id }) => id)).toEqual(['kept', 'other'])
    expect(
      t
        .events('rules.changed')
        .at(-1)
        ?.rules.map(({ id }) => id),
    ).toEqual(['kept', 'other'])
    expect(t.rows().some(({ kind, detail }) => kind === 'rule' && detail['ruleId'] === 'gone')).toBe(true)
    expect(() => t.broker.restoreRule('removed')).toThrow(expect.objectContaining({ code: 'rule.unknown' }))
  })

  test('is asked for once, with all that would be started, and remembered', async () => {
    const first = launch()
    expect(t.only()).toMatchObject({ kind: 'launch', why: { kind: 'first-launch' }, target })
    t.answer(yes)
    const result = await first
    expect(result).toMatchObject({ kind: 'allowed', decision: { by: 'person', scope: 'always' }, approval: { server: 'demo', target } })
    expect(await launch()).toMatchObject({ kind: 'allowed', decision: { by: 'rule', scope: 'always' }, approval: { target } })
    expect(await launch({ envNames: ['HOME', 'TOKEN'] } as Partial<LaunchTarget>)).toMatchObject({ kind: 'allowed' })
    expect(t.asked).toHaveLength(1)
  })

  test.each<[string, Partial<LaunchTarget>]>([
    ['command', { command: 'npm' }],
    ['argument', { args: ['-y', 'server', '/'] }],
    ['order of arguments', { args: ['server', '-y', '/data'] }],
    ['variable', { envNames: ['TOKEN', 'HOME', 'NODE_OPTIONS'] }],
    ['folder', { cwd: '/tmp' }],
  ])('with another %s asks again and shows what was allowed', async (_title, change) => {
    const first = launch()
    t.answer(yes)
    await first
    const second = launch(change)
    expect(t.only()).toMatchObject({ why: { kind: 'launch-changed' }, previous: target, target: { ...target, ...change } })
    t.answer({ kind: 'deny', word: 'no' })
    expect(await second).toMatchObject({ kind: 'denied', decision: { by: 'person', word: 'no' } })
    expect((await launch()).kind).toBe('allowed')
  })

  test('that was denied is asked for again', async () => {
    const first = launch()
    t.answer({ kind: 'deny' })
    expect((await first).kind).toBe('denied')
    const second = launch()
    expect(t.only().why).toEqual({ kind: 'first-launch' })
    t.answer(yes)
    await second
  })

  test('keeps no key on disk that stands in its arguments or address', async () => {
    const first = launch({ args: ['--api-key=hunter2', '--token', 'hunter2'] } as Partial<LaunchTarget>)
    t.answer(yes)
    const second = t.broker.launch({
      server: 'web',
      signal: t.abort.signal,
      target: { transport: 'streamable-http', url: 'https://example.com/mcp?key=hunter2', headerNames: ['Authorization'] },
    })
    expect(t.only()).toMatchObject({ target: { url: 'https://example.com/mcp?key=hunter2' } })
    t.answer(yes)
    expect([await first, await second]).toMatchObject([
      { approval: { target: { args: ['--api-key=hunter2', '--token', 'hunter2'] } } },
      { approval: { target: { url: 'https://example.com/mcp?key=hunter2' } } },
    ])
    const { rules } = t.profile.store()
    expect(JSON.stringify([t.rows(), rules.launch('demo'), rules.launch('web')])).not.toContain('hunter2')
  })
})

describe('a form', () => {
  const requestedSchema: JsonObject = {
    type: 'object',
    properties: { seats: { type: 'integer', minimum: 1 }, password: { type: 'string' } },
    required: ['seats'],
  }
  const form = () => t.broker.elicitForm({ ...ask, signal: t.abort.signal, message: 'How many?', requestedSchema })

  test('gives the server what was filled in, and the record only the names', async () => {
    const answer = form()
    t.answer({ ...yes, content: { seats: 4, password: 'hunter2' } })
    expect(await answer).toEqual({ action: 'accept', content: { seats: 4, password: 'hunter2' } })
    expect(t.rows().at(-1)?.detail).toMatchObject({ answered: ['seats', 'password'] })
    expect(JSON.stringify(t.rows())).not.toContain('hunter2')
  })

  test.each([[{}], [{ seats: 0 }], [{ seats: 'four' }], [{ seats: 1, extra: true }], [undefined]])(
    'answered with %j is refused and stays open',
    async (content) => {
      const answer = form()
      const error = thrownBy(() => t.answer({ ...yes, ...(content ? { content } : {}) }))
      expect([error?.code, Object.keys((error?.data['errors'] ?? {}) as object).length]).toEqual(['contract.invalid', 1])
      t.answer({ ...yes, content: { seats: 1 } })
      expect(await answer).toEqual({ action: 'accept', content: { seats: 1 } })
    },
  )

  test.each([
    ['deny', 'decline', 'denied'],
    ['cancel', 'cancel', 'cancelled'],
  ] as const)('on %s the server is told %s', async (kind, action, outcome) => {
    const answer = form()
    t.answer({ kind })
    expect(await answer).toEqual({ action })
    expect([t.events('consent.closed')[0]?.outcome, t.rows().at(-1)?.decision]).toEqual([outcome, outcome])
  })
})

describe('a page to open', () => {
  const page = (url: string) => t.broker.elicitUrl({ ...ask, signal: t.abort.signal, message: 'Sign in', url })

  test('is shown as it will be opened, and recorded without what its query holds', async () => {
    const answer = page('https://bücher.example/login?state=hunter2')
    expect(t.only()).toMatchObject({ url: 'https://xn--bcher-kva.example/login?state=hunter2' })
    t.answer(yes)
    expect(await answer).toEqual({ action: 'accept', approval: { url: 'https://xn--bcher-kva.example/login?state=hunter2' } })
    expect(t.rows().at(-1)).toMatchObject({ kind: 'open-url', decision: 'allowed', by: 'person' })
    expect(JSON.stringify(t.rows())).not.toContain('hunter2')
  })

  test.each(['file:///etc/passwd', 'javascript:alert(1)', 'https://bank.example@evil.test/', 'nonsense'])(
    '%s is refused without a question',
    async (url) => {
      expect(await page(url)).toEqual({ action: 'decline' })
      expect([t.asked, t.rows().map((row) => [row.kind, row.decision, row.by])]).toEqual([[], [['open-url', 'denied', 'policy']]])
    },
  )

  test('that the person clicked is opened when it is a web address', () => {
    expect(t.broker.clickedUrl('https://example.com')).toEqual({ url: 'https://example.com/' })
    expect(thrownBy(() => t.broker.clickedUrl('file:///etc/passwd'))?.code).toBe('contract.invalid')
    expect(t.rows()).toMatchObject([{ kind: 'open-url', decision: 'allowed', by: 'person' }])
  })
})

describe('sampling', () => {
  const sampling = () =>
    t.broker.sampling({
      ...ask,
      signal: t.abort.signal,
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'hello' }] }],
      tools: [{ name: 'look', inputSchema: { type: 'object' } }],
      toolChoice: 'auto',
      systemPrompt: 'be brief',
      maxTokens: 10,
      hints: ['haiku'],
      model: 'a/one',
      original: { messages: [] },
    })

  test('runs what was shown, on the model that the person picked', async () => {
    const verdict = sampling()
    expect(t.only()).toMatchObject({ kind: 'sampling', why: { kind: 'server-asks' }, systemPrompt: 'be brief', model: 'a/one' })
    t.answer({ ...yes, model: 'b/two' })
    expect(await verdict).toMatchObject({
      kind: 'allowed',
      approval: {
        server: 'demo',
        model: 'b/two',
        messages: [{ role: 'user', parts: [{ type: 'text', text: 'hello' }] }],
        tools: [{ name: 'look', inputSchema: { type: 'object' } }],
        toolChoice: 'auto',
        systemPrompt: 'be brief',
        maxTokens: 10,
      },
    })
  })

  test('runs what the person made of it, and the record says that it was edited', async () => {
    const verdict = sampling()
    t.answer({ ...yes, prompt: { systemPrompt: 'be kind', texts: ['hello you'] } })
    expect(await verdict).toMatchObject({
      decision: { edited: true },
      approval: { systemPrompt: 'be kind', messages: [{ role: 'user', parts: [{ type: 'text', text: 'hello you' }] }] },
    })
    expect(t.rows().at(-1)).toMatchObject({ decision: 'allowed', detail: { model: 'a/one', edited: true, prompt: expect.anything() } })
  })

  test.each([{ texts: [] }, { texts: ['a', 'b'] }, { texts: ['  '] }])(
    'with an edit that does not fit it (%j) stays open',
    async (prompt) => {
      const verdict = sampling()
      expect(thrownBy(() => t.answer({ ...yes, prompt }))).toMatchObject({ code: 'contract.invalid' })
      expect(t.only().kind).toBe('sampling')
      t.answer({ kind: 'deny' })
      expect(await verdict).toMatchObject({ kind: 'denied' })
    },
  )

  test('a refusal carries the word', async () => {
    const verdict = sampling()
    t.answer({ kind: 'deny', word: 'no' })
    expect(await verdict).toMatchObject({ kind: 'denied', decision: { word: 'no' } })
  })

  test.each([
    [yes, 'the answer'],
    [{ ...yes, text: 'less' }, 'less'],
    [{ kind: 'deny' } as const, undefined],
  ])('the answer is handed over as the person leaves it: %j', async (answer, text) => {
    const result = t.broker.samplingResult({ ...ask, signal: t.abort.signal, model: 'a/one', text: 'the answer', calls: [] })
    t.answer(answer)
    expect(await result).toBe(text)
  })
})

test.each([
  [yes, true],
  [{ kind: 'deny' } as const, false],
])('folders are named only after a yes: %j', async (answer, allowed) => {
  const result = t.broker.roots({ ...ask, signal: t.abort.signal, roots: [{ uri: 'file:///a' }] })
  t.answer(answer)
  expect(await result).toBe(allowed)
})

describe('a question', () => {
  test('is withdrawn when its asker gives up', async () => {
    const verdict = t.broker.toolCall(t.call())
    const { id } = t.only()
    t.abort.abort()
    expect(await verdict).toEqual({ kind: 'withdrawn' })
    expect([t.events('consent.closed'), t.broker.answer(id, yes), t.rows().at(-1)?.decision]).toEqual([
      [{ id, outcome: 'withdrawn', because: 'call-ended' }],
      false,
      'withdrawn',
    ])
  })

  test('is never put when its asker has given up before', async () => {
    t.abort.abort()
    const form = t.broker.elicitForm({ ...ask, signal: t.abort.signal, message: 'm', requestedSchema: {} })
    expect([await t.broker.toolCall(t.call()), (await launch()).kind, await form]).toEqual([
      { kind: 'withdrawn' },
      'withdrawn',
      { action: 'cancel' },
    ])
    expect([t.asked, t.rows()]).toEqual([[], []])
  })

  test('is withdrawn when the host ends, and none is put after', async () => {
    const verdict = t.broker.toolCall(t.call())
    t.broker.dispose()
    expect([await verdict, await t.broker.toolCall(t.call()), t.broker.open()]).toEqual([{ kind: 'withdrawn' }, { kind: 'withdrawn' }, []])
  })

  test('listeners on its signal are gone once it is answered', async () => {
    const listeners: number[] = []
    const signal = Object.assign(new AbortController().signal, {
      addEventListener: () => void listeners.push(1),
      removeEventListener: () => void listeners.pop(),
    })
    const verdict = t.broker.toolCall(t.call({ signal }))
    expect(listeners).toHaveLength(1)
    t.answer(yes)
    await verdict
    expect(listeners).toHaveLength(0)
  })

  test('several wait in the order in which they came', async () => {
    const verdicts = [t.broker.toolCall(t.call({ callId: 'a' })), t.broker.toolCall(t.call({ callId: 'b' })), launch()]
    expect(t.broker.open().map((request) => request.callId ?? request.kind)).toEqual(['a', 'b', 'launch'])
    t.broker.dispose()
    await Promise.all(verdicts)
  })

  test('stays when a window that is told of it fails', async () => {
    const fail = (): never => {
      throw new Error('no window')
    }
    const verdict = t.broker.toolCall(t.call({ onAsked: fail }))
    t.answer(yes)
    expect((await verdict).kind).toBe('allowed')
  })
})

describe('the command line answers in the person’s place', () => {
  test('and the decision says so', async () => {
    const broker = t.restart(() => yes)
    expect(await broker.toolCall(t.call())).toMatchObject({ kind: 'allowed', decision: { by: 'command-line', scope: 'once' } })
    expect([t.asked, t.rows().map((row) => [row.decision, row.by])]).toEqual([[], [['allowed', 'command-line']]])
  })

  test('or leaves it to the person', async () => {
    const broker = t.restart(async () => undefined)
    const controller = new AbortController()
    const verdict = broker.toolCall(t.call({ signal: controller.signal, onAsked: () => controller.abort() }))
    expect([await verdict, t.asked.length]).toEqual([{ kind: 'withdrawn' }, 1])
  })

  test('a rule comes before it', async () => {
    t.profile.store().rules.put({ id: 'd', effect: 'deny', server: 'files', scope: { kind: 'always' }, createdAt: 1 })
    expect(await t.restart(() => yes).toolCall(t.call())).toMatchObject({ kind: 'denied', decision: { by: 'rule' } })
  })

  test('a launch that it allows is for this run only', async () => {
    const broker = t.restart(() => yes)
    expect(await launch({}, broker)).toMatchObject({ decision: { by: 'command-line', scope: 'once' } })
    expect(t.profile.store().rules.launch('demo')).toBeUndefined()
  })

  test('an answer of it that does not fit a form fails the question', async () => {
    const broker = t.restart(() => ({ ...yes, content: { seats: 'x' } }))
    const requestedSchema = { type: 'object', properties: { seats: { type: 'integer' } } }
    await expect(broker.elicitForm({ ...ask, signal: t.abort.signal, message: 'm', requestedSchema })).rejects.toMatchObject({
      code: 'contract.invalid',
    })
    expect(broker.open()).toEqual([])
  })

  test('one that never answers is left when its asker gives up', async () => {
    const broker = t.restart(() => new Promise(() => {}))
    const verdict = broker.toolCall(t.call())
    t.abort.abort()
    expect(await verdict).toEqual({ kind: 'withdrawn' })
  })
})

describe('a joined command', () => {
  const asked = (part: Parameters<TestBroker['call']>[0] = {}) => t.broker.toolCall(t.call(part))

  test('answers what is asked in the turn and the call that it began, on record as the command line', async () => {
    t.broker.claim({ joined: 'joined-1' }, { conversationId: 'c1' })
    const undo = t.broker.claim({ joined: 'joined-1' }, { callId: 'k2' })
    const both = [asked({ conversationId: 'c1', callId: 'k1' }), asked({ conversationId: undefined, callId: 'k2' })]
    await expect.poll(() => t.broker.open().map(({ joined }) => joined)).toEqual(['joined-1', 'joined-1'])
    for (const { id } of t.broker.open()) expect(t.broker.answer(id, yes, 'joined-1')).toBe(true)
    expect(await Promise.all(both)).toMatchObject([{ decision: { by: 'command-line' } }, { decision: { by: 'command-line' } }])
    expect(t.events('consent.closed')).toMatchObject([{ by: 'command-line' }, { by: 'command-line' }])
    undo()
    void asked({ conversationId: undefined, callId: 'k2' })
    await expect.poll(() => t.broker.open().map(({ joined }) => joined)).toEqual([undefined])
  })

  test.each<[string, Parameters<TestBroker['call']>[0]]>([
    ['of another chat', { conversationId: 'c2', callId: 'k3' }],
    ['of an MCP App in its chat', { conversationId: 'c1', callId: 'k3', view: { callId: 'k0', tool: 'show' } }],
  ])('cannot answer a question %s; a window can', async (_what, part) => {
    t.broker.claim({ joined: 'joined-1' }, { conversationId: 'c1' })
    const verdict = asked(part)
    await expect.poll(() => t.broker.open()).toHaveLength(1)
    const { id, joined } = t.only()
    expect(joined).toBe(undefined)
    expect(() => t.broker.answer(id, yes, 'joined-1')).toThrow(expect.objectContaining({ code: 'contract.invalid' }))
    expect(t.broker.answer(id, yes)).toBe(true)
    expect(await verdict).toMatchObject({ decision: { by: 'person' } })
  })

  test.each([
    { kind: 'allow', scope: 'always' },
    { kind: 'allow', scope: 'conversation' },
    { kind: 'deny', scope: 'always' },
    { ...yes, terms: {} },
  ] as const)('answers for this once only: %j', async (answer) => {
    t.broker.claim({ joined: 'joined-1' }, { conversationId: 'c1' })
    void asked({ conversationId: 'c1', callId: 'k1' })
    await expect.poll(() => t.broker.open()).toHaveLength(1)
    expect(() => t.broker.answer(t.only().id, answer, 'joined-1')).toThrow(expect.objectContaining({ code: 'contract.invalid' }))
    expect([t.broker.open().length, t.broker.rules()]).toEqual([1, []])
  })
})
