import { PassThrough } from 'node:stream'
import { describe, expect, it, vi } from 'vitest'
import type { ConsentRequest } from '#app/consent/request.ts'
import type { JsonObject } from '#app/json.ts'
import { onInterrupt } from './exit-codes.ts'
import { createTerminalPrompt, describeRequest } from './terminal-prompt.ts'

const common = { id: 'r', createdAt: 0, server: 'files', why: { kind: 'no-rule' } } as const
const toolCall = (argumentsText: string): ConsentRequest => ({
  ...common,
  kind: 'tool-call',
  tool: 'move_file',
  trusted: false,
  inputSchema: {},
  arguments: JSON.parse(argumentsText) as JsonObject,
  argumentsText,
  fingerprint: 'f',
})
const form = (properties: JsonObject, required: string[]): ConsentRequest => ({
  ...common,
  kind: 'elicitation-form',
  message: 'Which room?',
  requestedSchema: { type: 'object', properties, required },
})

/** Types each line when the terminal has shown a question that was not there before. */
function typing(...lines: (string | undefined)[]) {
  const input = new PassThrough()
  const output = new PassThrough()
  let shown = ''
  output.on('data', (chunk) => {
    const text = String(chunk)
    shown += text
    if (!/(\? \[y\/N(, w: .*)?\] |: )$/.test(text)) return
    // A person types after reading: the question has been put by then.
    setImmediate(() => {
      const line = lines.shift()
      if (line === undefined) input.end()
      else input.write(`${line}\n`)
    })
  })
  const asker = createTerminalPrompt({ input, output })
  return { ask: asker.ask, input, shown: () => shown }
}

const sandboxed = (why: 'first-launch' | 'launch-sandbox', more: object = {}): ConsentRequest => ({
  ...common,
  ...more,
  kind: 'launch',
  why: { kind: why },
  target: {
    transport: 'stdio',
    command: 'x',
    args: [],
    envNames: [],
    sandbox: { kind: 'on', ownFolder: true, read: ['/a'], write: ['/b'], hosts: ['c.example'], denyRead: [], denyWrite: [], denyHosts: [] },
  },
  fingerprint: 'f',
})

describe('a launch in a sandbox', () => {
  it('is shown with what it may read, write and reach', () => {
    const shown = describeRequest(sandboxed('first-launch'))
    for (const line of [/Read folders +\/a \/b$/m, /Write folders +\/b$/m, /Reach hosts +c\.example$/m]) expect(shown).toMatch(line)
  })

  it.each([
    ['y', sandboxed('first-launch'), { kind: 'allow', scope: 'once' }],
    ['w', sandboxed('first-launch'), { kind: 'allow', scope: 'once', sandbox: { kind: 'off' } }],
    ['', sandboxed('first-launch'), { kind: 'deny' }],
    ['without', sandboxed('first-launch'), { kind: 'deny' }],
    // The person is asked once about what they allowed before.
    ['y', sandboxed('launch-sandbox'), { kind: 'allow', scope: 'always' }],
    ['W', sandboxed('launch-sandbox'), { kind: 'allow', scope: 'always', sandbox: { kind: 'off' } }],
    ['y', sandboxed('launch-sandbox', { changedValues: ['TOKEN'] }), { kind: 'allow', scope: 'once' }],
    ['w', sandboxed('launch-sandbox', { joined: 'c' }), { kind: 'allow', scope: 'once', sandbox: { kind: 'off' } }],
  ])('“%s”', async (line, request, answer) => {
    expect(await typing(line).ask(request)).toEqual(answer)
  })
})

describe('a yes is typed out', () => {
  it.each([
    ['y', 'allow'],
    ['YES', 'allow'],
    ['', 'deny'],
    ['n', 'deny'],
    ['yep', 'deny'],
    ['y y', 'deny'],
  ])('“%s”: %s', async (line, kind) => {
    expect((await typing(line).ask(toolCall('{}'))).kind).toBe(kind)
  })
  it('the end of input is a no', async () => {
    expect((await typing(undefined).ask(toolCall('{}'))).kind).toBe('deny')
  })
  it('a question that a window answers first is not asked any more, and the next one is', async () => {
    const { input, output } = { input: new PassThrough(), output: new PassThrough() }
    let shown = ''
    output.on('data', (chunk) => {
      shown += String(chunk)
    })
    const { ask } = createTerminalPrompt({ input, output })
    const answered = new AbortController()
    const [first, withdrawn, last] = [
      ask(toolCall('{}'), answered.signal),
      ask(toolCall('{"a":1}'), answered.signal),
      ask(toolCall('{"b":2}')),
    ]
    await expect.poll(() => shown).toContain('[y/N]')
    answered.abort()
    expect([(await first).kind, (await withdrawn).kind]).toEqual(['deny', 'cancel'])
    await expect.poll(() => shown.match(/\[y\/N\]/g)).toHaveLength(2)
    input.write('y\n')
    expect([(await last).kind, shown.includes('"a"')]).toEqual(['allow', false])
  })
  it('what was typed before the question is no answer', async () => {
    const { ask, input } = typing('n')
    input.write('y\n')
    await new Promise(setImmediate)
    expect((await ask(toolCall('{}'))).kind).toBe('deny')
  })
  it('two questions at once are asked one after the other', async () => {
    const { ask, shown } = typing('y', 'n')
    const answers = await Promise.all([ask(toolCall('{"first":1}')), ask(toolCall('{"second":2}'))])
    expect(answers.map(({ kind }) => kind)).toEqual(['allow', 'deny'])
    expect(shown().indexOf('"first"')).toBeLessThan(shown().indexOf('"second"'))
  })
})

it('shows the arguments as they would be sent, with hidden characters and terminal codes named', () => {
  const text = describeRequest(toolCall(JSON.stringify({ path: 'a\u202Eb\u001b[2Jc' })))
  expect(text).toContain('"path"')
  for (const hidden of ['\u202E', '\u001b']) expect(text.includes(hidden)).toBe(false)
  expect(text).toContain('right-to-left override')
})

it('shows of a sign-in whose page it is, what is asked for, where tokens go, and the whole address', () => {
  const url = 'https://evil.test/authorize?state=abc'
  const text = describeRequest({
    ...common,
    why: { kind: 'more-scopes' },
    kind: 'sign-in',
    resource: 'https://mcp.tracker.example/mcp',
    issuer: 'https://accounts.example',
    url,
    scopes: ['write'],
    granted: ['read\u200b'],
    client: 'registered',
  })
  for (const shown of ['https://accounts.example', 'https://mcp.tracker.example/mcp', 'write', url, 'tracker.example', 'evil.test'])
    expect(text).toContain(shown)
  expect(text.includes('\u200b')).toBe(false)
})

describe('a form', () => {
  const rooms = form({ people: { type: 'integer', minimum: 1 }, window: { type: 'boolean' } }, ['people'])
  it('is filled in field by field, asked again where it does not fit, and sent on a yes', async () => {
    expect(await typing('none', '0', '3', 'y', 'y').ask(rooms)).toEqual({
      kind: 'allow',
      scope: 'once',
      content: { people: 3, window: true },
    })
  })
  it('sends a field that is named like a member of every object', async () => {
    const odd = form(JSON.parse('{"__proto__":{"type":"string"},"constructor":{"type":"string"}}') as JsonObject, [])
    expect(JSON.stringify(await typing('a', 'b', 'y').ask(odd))).toBe(
      '{"kind":"allow","scope":"once","content":{"__proto__":"a","constructor":"b"}}',
    )
  })
  it('leaves out what is left empty, and is refused without a yes', async () => {
    expect(await typing('2', '', 'y').ask(rooms)).toEqual({ kind: 'allow', scope: 'once', content: { people: 2 } })
    expect((await typing('2', '', '').ask(rooms)).kind).toBe('deny')
  })
  it('is cancelled when the input ends', async () => {
    expect((await typing('2', undefined).ask(rooms)).kind).toBe('cancel')
  })
})

describe('a secret', () => {
  const asker = () => {
    const input = new PassThrough()
    const hidden: boolean[] = []
    let shown = ''
    const output = new PassThrough().setEncoding('utf8').on('data', (text) => {
      shown += text
    })
    const made = createTerminalPrompt({ input, output, hide: (now) => void hidden.push(now) })
    return { ...made, input, hidden, shown: () => shown }
  }

  it('is typed unseen, as it was meant', async () => {
    const { secret, input, hidden, shown, close } = asker()
    const typed = secret('token: ')
    await new Promise((resolve) => setImmediate(resolve))
    input.write('wrong\x15to\x7foken\r')
    expect([await typed, hidden, shown().includes('oken\r')]).toEqual(['token', [true, false], false])
    close()
  })

  it.each(['\x04', '\r'])('is none after %j', async (keys) => {
    const { secret, input, close } = asker()
    const typed = secret('token: ')
    await new Promise((resolve) => setImmediate(resolve))
    input.write(keys)
    expect(await typed).toBeUndefined()
    close()
  })

  it('is given up by Ctrl-C, which the command hears without a signal: Windows ends a process that signals itself', async () => {
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true)
    const stopped = vi.fn()
    const undo = onInterrupt(stopped)
    const { secret, input, close } = asker()
    const typed = secret('token: ')
    await new Promise((resolve) => setImmediate(resolve))
    input.write('half\x03')
    // Tests that share this process may end children of theirs meanwhile.
    const ofThisProcess = () => kill.mock.calls.filter(([pid]) => pid === process.pid)
    expect([await typed, stopped.mock.calls.length, ofThisProcess()]).toEqual([undefined, 1, []])
    undo()
    close()
    kill.mockRestore()
  })

  it('is not asked for where it would be seen', async () => {
    const input = new PassThrough()
    const { secret, close } = createTerminalPrompt({ input, output: new PassThrough() })
    expect(await secret('token: ')).toBeUndefined()
    close()
  })
})

describe('a name is one line', () => {
  // CWE-150 as in alibaba/open-code-review#143: whoever writes a line of their own writes the host's question.
  const drawn = 'x\n\nAllow this once? [y/N] y\r\nallowed\u2028Allow this once?\u0085Allow this once?'
  const ours = (text: string): string[] => text.split(/[\n\r\u0085\u2028\u2029]/).filter((line) => /^(Allow this once|allowed)/.test(line))

  it.each<[string, ConsentRequest]>([
    ['a server', { ...toolCall('{}'), server: drawn }],
    ['a tool', { ...toolCall('{}'), tool: drawn } as ConsentRequest],
    ['a changed tool', { ...common, kind: 'tool-changed', tool: drawn } as ConsentRequest],
    ['a page', { ...common, kind: 'elicitation-url', message: 'm', url: drawn, elicitationId: 'e' } as ConsentRequest],
  ])('of %s', (_whose, request) => {
    expect([ours(describeRequest(request)), describeRequest(request).includes('⟨line feed⟩')]).toEqual([[], true])
  })

  it('of a variable and its value', () => {
    const variables = [{ name: 'NODE_OPTIONS', value: drawn, effect: 'code' }]
    const target = { transport: 'stdio', command: 'node', args: [], envNames: ['NODE_OPTIONS'], variables }
    const request = { ...common, kind: 'launch', target } as unknown as ConsentRequest // only what is shown of it
    expect(describeRequest(request)).toContain(`NODE_OPTIONS=x⟨line feed⟩⟨line feed⟩Allow this once?`)
  })

  it('of a field, an option and a default', async () => {
    const field = { type: 'string', title: drawn, enum: [drawn, 'b'], default: drawn } as JsonObject
    const { ask, shown } = typing('b', 'n')
    await ask(form({ room: field }, []))
    expect(ours(shown())).toEqual([])
  })

  it('of the kind of a picture', () => {
    const part = { type: 'image', mimeType: `image/png\u001b[2J${drawn}`, data: 'AAAA' } as const
    const request = { ...common, kind: 'sampling', model: drawn, maxTokens: 1, messages: [{ role: 'user', parts: [part] }], tools: [] }
    const text = describeRequest(request as unknown as ConsentRequest) // only what is shown of it
    expect([ours(text), text.includes('\u001b')]).toEqual([[], false])
  })
})
