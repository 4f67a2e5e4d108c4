import { describe, expect, it } from 'vitest'
import type { Decision, ToolCall, ToolCallState } from '#app/chat/message.ts'
import { callStatusOf, elsewhereNote, mainArguments, overdueLabel, progressPart } from './call-labels.ts'

const byYou: Decision = { allowed: true, by: 'person', scope: 'once' }
const byRule: Decision = { allowed: true, by: 'rule', scope: 'always', ruleId: 'r' }
const result = { content: [], isError: false, bytes: 3100 }

const states: readonly (readonly [string, ToolCallState, readonly [mark: string, tone: string, aside: string, note: string]])[] = [
  ['being written', { kind: 'writing' }, ['ring', 'plain', '', 'being written']],
  ['queued', { kind: 'queued' }, ['off', 'plain', '', 'waits its turn']],
  ['waiting', { kind: 'waiting', requestId: 'r' }, ['you', 'you', '', 'waits for you']],
  [
    'running with progress',
    { kind: 'running', decision: byYou, startedAt: 4000, progress: { progress: 7, total: 11, message: 'files' } },
    ['ring', 'plain', 'files', '7 of 11 · 6 s'],
  ],
  [
    'running with words alone',
    { kind: 'running', decision: byYou, startedAt: 4000, progress: { progress: 0, message: 'the machine is warming up' } },
    ['ring', 'plain', 'the machine is warming up', '6 s'],
  ],
  [
    'overdue',
    { kind: 'running', decision: byYou, startedAt: 4000, progress: { progress: 7 }, overdue: { since: 5000, endsAt: 12_000 } },
    ['clock', 'warn', '', 'Still running: 6 s'],
  ],
  [
    'done by a rule',
    { kind: 'done', decision: byRule, startedAt: 0, durationMs: 400, result },
    ['check', 'plain', 'Rule', '0.4 s · 3.1 KB'],
  ],
  [
    'done and edited',
    { kind: 'done', decision: { ...byYou, edited: true }, startedAt: 0, durationMs: 40, result },
    ['check', 'plain', 'You, once, edited first', '40 ms · 3.1 KB'],
  ],
  [
    'an error that the tool says itself',
    { kind: 'done', decision: byYou, startedAt: 0, durationMs: 40, result: { ...result, isError: true } },
    ['warning', 'bad', '', 'error'],
  ],
  [
    'denied with a word',
    { kind: 'denied', decision: { ...byYou, allowed: false, word: 'wrong year' } },
    ['dash', 'plain', '', 'denied · You: “wrong year”'],
  ],
  ['denied by a rule', { kind: 'denied', decision: { ...byRule, allowed: false } }, ['dash', 'plain', '', 'denied · Rule']],
  ['failed', { kind: 'failed', error: { code: 'tool.unknown', message: 'x' } }, ['warning', 'bad', '', 'error']],
  [
    'failed by its timeout, with a result since',
    { kind: 'failed', error: { code: 'tool.timeout', message: 'x' }, late: { at: 9, result } },
    ['clock', 'warn', '', 'timed out · its result came late'],
  ],
  ['cancelled', { kind: 'cancelled', startedAt: 1 }, ['dash', 'plain', '', 'stopped']],
  ['unknown', { kind: 'unknown', decision: byYou, startedAt: 1 }, ['clock', 'warn', '', 'outcome unknown']],
]

describe('callStatusOf', () => {
  it.each(states)('tells a call that is %s', (_name, state, [mark, tone, aside, note]) => {
    expect(callStatusOf(state, 10_000)).toEqual({ mark, tone, aside, note })
  })
})

it('says of a running call that its server asks, whatever its progress', () => {
  const state: ToolCallState = { kind: 'running', decision: byYou, startedAt: 0, progress: { progress: 1 } }
  expect(callStatusOf(state, 0, true)).toEqual({ mark: 'you', tone: 'you', aside: '', note: 'waits for you' })
})

it('counts how long there was no word, and down to the end', () => {
  expect(overdueLabel({ since: 5000, endsAt: 12_000 }, 10_000)).toBe('no response for 5 s. Cancelled in 2 s.')
  expect(overdueLabel({ since: 5000, endsAt: 9000 }, 10_000)).toContain('in 0 s')
})

describe('mainArguments', () => {
  it.each([
    ['plain values in order', { path: '~/a', pattern: '*.pdf', deep: { x: 1 }, all: true }, '~/a  *.pdf  true'],
    ['lists', { paths: ['a', 'b'] }, 'a b'],
    ['line breaks as a mark', { text: 'a\n  b' }, 'a ⏎ b'],
    ['nothing of nothing', {}, ''],
  ])('shows %s', (_name, args, expected) => {
    expect(mainArguments({ arguments: args })).toBe(expected)
  })
})

it('knows how far a call is only where the server says the total', () => {
  expect([progressPart({ progress: 1, total: 4 }), progressPart({ progress: 3 }), progressPart(undefined)]).toEqual([
    0.25,
    undefined,
    undefined,
  ])
})

describe('elsewhereNote', () => {
  const decision: Decision = { allowed: true, by: 'host', scope: 'once' }
  const done: ToolCallState = { kind: 'done', decision, startedAt: 0, durationMs: 0, result }
  const call = (state: ToolCallState, more: Partial<ToolCall> = {}): ToolCall => ({
    id: 'c',
    providerId: 'p',
    modelName: 'web_run',
    state,
    ...more,
  })

  it('says of a call that came in from elsewhere what came of it, not who let it run or how long it took', () => {
    expect(elsewhereNote(call(done))).toBe('3.1 KB')
    expect(elsewhereNote(call({ kind: 'cancelled', decision, startedAt: 0 }))).toBe('outcome unknown')
  })

  it.each([
    ['of the host’s own tools', call(done, { own: true })],
    ['of a search at the provider', call(done, { ranAt: { name: 'Anthropic', blocks: [] } })],
    ['of a server', call(done, { server: 'files' })],
    ['of a tool that is not there', call({ kind: 'failed', error: { code: 'tool.unknown', message: 'x' } })],
  ])('is nothing for a call %s', (_of, one) => expect(elsewhereNote(one)).toBeUndefined())
})
