import { expect, test } from 'vitest'
import { type ContentRead, serverSource } from '../consent/taint/private-flow.ts'
import type { Json } from '../json.ts'
import type { ToolResult } from './content.ts'
import { isAcknowledgement, readsIn } from './content-reads.ts'
import type { Message, ToolCall } from './message.ts'

const base = { id: 'm', conversationId: 'c', turnId: 't', createdAt: 1 }
const decision = { allowed: true, by: 'person', scope: 'once' } as const
const text = (words: string): ToolResult => ({ content: [{ type: 'text', text: words }], isError: false, bytes: 1 })
const done = (words: string) => ({ kind: 'done' as const, decision, startedAt: 1, durationMs: 1, result: text(words) })
const user = (part: object): Message => ({ role: 'user', ...base, text: 'x', ...part }) as Message
const answer = (part: object): Message => ({ role: 'assistant', ...base, model: 'm', parts: [], state: 'done', ...part }) as Message
const called = (part: Partial<ToolCall>): Message =>
  answer({
    parts: [
      { kind: 'tool-call', call: { id: 'k', providerId: 'k', modelName: 'n', server: 'notes', tool: 'read', state: done('x'), ...part } },
    ],
  })
const file = { id: 'a', name: 'a', kind: 'text', blob: { sha256: 's', bytes: 1, mimeType: 'text/plain' } }
const both = { private: true, untrusted: true } as const
const notes = (marks: Partial<ContentRead>): ContentRead[] => [{ from: serverSource('notes'), ...marks }]

test.each<[string, Message[], ContentRead[]]>([
  ['words of the person: of nobody', [user({ text: 'my IBAN' })], []],
  ['a file of theirs: private, and their word', [user({ attachments: [file] })], [{ from: { kind: 'attached' }, private: true }]],
  ['a resource of before: both', [user({ attachments: [{ ...file, from: { server: 'notes', uri: 'a:b' } }] })], notes(both)],
  [
    'a prompt as it was marked',
    [user({ prompt: { server: 'notes', name: 'p', arguments: {} }, sources: notes({ private: true }) })],
    notes({ private: true }),
  ],
  ['a result as it was marked', [called({ marks: { private: true } })], notes({ private: true })],
  ['a result of before: both', [called({})], notes(both)],
  ['results of one server together', [called({ marks: { private: true } }), called({ marks: { untrusted: true } })], notes(both)],
  ['a call that was not sent: nothing', [called({ state: { kind: 'denied', decision } }), called({ state: { kind: 'cancelled' } })], []],
  ['a failure of the connection: nothing', [called({ state: { kind: 'failed', error: { code: 'tool.timeout', message: 'x' } } })], []],
  ['an error text of the server', [called({ state: { kind: 'failed', error: { code: 'server.protocol', message: 'x' } } })], notes(both)],
  [
    'words of the server beside a cancelled task',
    [called({ state: { kind: 'failed', error: { code: 'tool.task-cancelled', message: 'x' } } })],
    notes(both),
  ],
  ['what it wrote before it ended', [called({ state: { kind: 'failed', error: { code: 'server.exited', message: 'x' } } })], notes(both)],
  ['a server that is off: nothing', [called({ state: { kind: 'failed', error: { code: 'server.disabled', message: 'x' } } })], []],
  [
    'a summary, where what it covers is deleted',
    [
      {
        role: 'summary',
        ...base,
        model: 'm',
        by: 'person',
        covers: { until: 'u', messages: 1 },
        text: 'x',
        state: 'done',
        sources: notes(both),
      },
    ],
    notes(both),
  ],
  [
    'a search of the web that the model cites nothing of',
    [answer({ parts: [{ kind: 'thinking', text: '', details: [{ type: 'web_search_call' }] }] })],
    [{ from: { kind: 'web' }, untrusted: true }],
  ],
  ['a tool of the host: nothing of its own', [called({ server: undefined, own: true } as never)], []],
  ['what the model had read, where the messages are gone', [answer({ sources: notes(both) })], notes(both)],
  [
    'pages that the model cites: text of others',
    [answer({ parts: [{ kind: 'text', text: 'x', citations: [{ start: 0, end: 0, url: 'https://a.example', quote: '', source: {} }] }] })],
    [{ from: { kind: 'web' }, untrusted: true }],
  ],
])('%s', (_title, messages, expected) => {
  expect(readsIn({}, messages)).toEqual(expected)
})

test('an imported chat is private and anybody’s', () => {
  expect(readsIn({ importedFrom: { source: 'claude', id: 'x', at: 1 } }, [])).toEqual([{ from: { kind: 'imported' }, ...both }])
})

// Answers in the words of @modelcontextprotocol/server-filesystem 2026.1.
test.each<[string, ToolResult, Json, boolean]>([
  ['a file was written', text('Successfully wrote to /home/me/a b.md'), { path: '/home/me/a b.md', content: 'x' }, true],
  [
    'the same as structured content',
    { ...text('Successfully wrote to /a.md'), structuredContent: { content: 'Successfully wrote to /a.md' } },
    { path: '/a.md' },
    true,
  ],
  ['a file was moved', text('Successfully moved /abc/b to /abc'), { source: '/abc/b', destination: '/abc' }, true],
  ['nothing at all', text(''), {}, true],
  ['a change with what stood there', text('```diff\n-secret\n+public\n```'), { path: '/a' }, false],
  ['a value among the words', text('ok 7719'), {}, false],
  ['an argument in pieces', text('ok 77'), { guess: '77 19' }, false],
  ['an argument in a list', text('ok 77'), { guesses: ['77', '19'] }, false],
  ['other structured content', { ...text('ok'), structuredContent: { pin: '7719' } }, {}, false],
  ['a name of a member that speaks, where no text does', { ...text(' '), structuredContent: { 'The PIN is 7719': ' ' } }, {}, false],
  ['a name of a member that speaks, beside the text', { ...text('ok'), structuredContent: { 'The PIN is 7719': 'ok' } }, {}, false],
  ['signs that are no letters', text('\u2819\u2811\u2807'), {}, false],
  ['an argument as a text too long to compare', text('x'.repeat(10_001)), { content: 'x'.repeat(10_001) }, false],
  ['a check mark', text('✅ Done.'), {}, true],
  ['a picture', { ...text('ok'), content: [{ type: 'image', blob: { sha256: 's', bytes: 1, mimeType: 'image/png' } }] }, {}, false],
  ['too many words, which could spell something', text('ok done '.repeat(20)), {}, false],
])('an acknowledgement or not: %s', (_title, result, args, expected) => {
  expect(isAcknowledgement(result, args)).toBe(expected)
})
