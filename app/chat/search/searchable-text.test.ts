import { expect, test } from 'vitest'
import type { AssistantMessage, ToolCall } from '../message.ts'
import { LONGEST_MESSAGE, LONGEST_PIECE, searchableParts } from './searchable-text.ts'

const call = (part: Partial<ToolCall>): AssistantMessage['parts'][number] => ({
  kind: 'tool-call',
  call: { id: 'k', providerId: 'p', modelName: 'files__read', server: 'files', tool: 'read', state: { kind: 'writing' }, ...part },
})
const answer = (...parts: AssistantMessage['parts']): AssistantMessage => ({
  role: 'assistant',
  id: 'm',
  conversationId: 'c',
  turnId: 't',
  createdAt: 1,
  model: 'x',
  parts,
  state: 'done',
})
const decision = { allowed: true, by: 'person', scope: 'once' } as const
const textOf = (message: AssistantMessage): string[] =>
  searchableParts(message).map(({ texts }) => texts.map(({ text }) => text).join('\n'))

test('the text is one piece and each call another; thinking is none', () => {
  const pieces = searchableParts(
    answer({ kind: 'thinking', text: 'hmm' }, { kind: 'text', text: 'one' }, call({}), { kind: 'text', text: 'two' }, call({ id: 'l' })),
  )
  expect(pieces.map(({ index, kind, callId }) => ({ index, kind, callId }))).toEqual([
    { index: 0, kind: 'answer' },
    { index: 1, kind: 'call', callId: 'k' },
    { index: 2, kind: 'call', callId: 'l' },
  ])
  expect(pieces[0]?.texts).toEqual([{ form: 'prose', text: 'one\ntwo' }])
})

test('a question is found by its words and by the names of its attachments', () => {
  const blob = { sha256: 'a'.repeat(64), bytes: 1, mimeType: 'image/png' }
  const [piece] = searchableParts({
    role: 'user',
    id: 'u',
    conversationId: 'c',
    turnId: 't',
    createdAt: 1,
    text: 'look',
    attachments: [{ id: 'x', name: 'kestrel.png', kind: 'image', blob }],
  })
  expect(piece?.texts.map(({ text }) => text)).toEqual(['look', 'kestrel.png'])
})

test('a call is found by its tool, its arguments without their quotes, and its result', () => {
  const content = [
    { type: 'text' as const, text: 'Kestrel' },
    { type: 'resource' as const, uri: 'file:///a', text: 'within' },
    { type: 'resource-link' as const, uri: 'file:///b', name: 'linked' },
    { type: 'image' as const, blob: { sha256: 'a'.repeat(64), bytes: 1, mimeType: 'image/png' } },
    { type: 'unknown' as const, value: { odd: [1, true, null] } },
  ]
  const result = { content, structuredContent: { not: 'twice' }, isError: false, bytes: 1 }
  const message = answer(
    call({ arguments: { path: 'a\n"b"', deep: [{ n: 1 }] }, state: { kind: 'done', decision, startedAt: 0, durationMs: 1, result } }),
  )
  expect(textOf(message)).toEqual(['read\npath: a\n"b" deep: n: 1\nKestrel\nfile:///a\nwithin\nlinked · file:///b\nodd: 1 true'])
})

test('a structured result without a text counts; so do a refusal, an error and broken arguments', () => {
  const result = { content: [], structuredContent: { sum: 5 }, isError: false, bytes: 1 }
  expect(
    textOf(
      answer(
        call({ state: { kind: 'done', decision, startedAt: 0, durationMs: 1, result } }),
        call({ rawArguments: '{"a":', state: { kind: 'denied', decision: { ...decision, word: 'not now' } } }),
        call({ state: { kind: 'failed', error: { code: 'tool.timeout', message: 'It took too long.' } } }),
      ),
    ),
  ).toEqual(['read\nsum: 5', 'read\n{"a":\nnot now', 'read\nIt took too long.'])
})

test('a piece and a message have their limits', () => {
  const long = call({ arguments: { text: 'x'.repeat(LONGEST_PIECE * 2) } })
  const sizes = searchableParts(answer(...Array.from({ length: 10 }, () => long))).map(({ texts }) =>
    texts.reduce((sum, { text }) => sum + text.length, 0),
  )
  expect(Math.max(...sizes)).toBe(LONGEST_PIECE)
  expect(sizes.reduce((a, b) => a + b)).toBe(LONGEST_MESSAGE)
})

test('arguments nested without end are read as far as they are sensible', () => {
  let deep: object = {}
  for (let depth = 0; depth < 10_000; depth += 1) deep = { a: deep }
  expect(textOf(answer(call({ arguments: deep as never }))).join('').length).toBeLessThan(1000)
})
